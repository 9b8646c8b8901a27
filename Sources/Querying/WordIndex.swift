internal import Products

/// Maps words of names, descriptions and categories to products.
struct WordIndex: Sendable {
    /// All words, each followed by a blank.
    private let text: [UInt8]
    /// The start of each word in `text`, and the end.
    private let wordStarts: [Int32]
    /// The start of each word's products in `positions`, and the end.
    private let positionStarts: [Int32]
    private let positions: [Int32]
    private let count: Int

    init(_ catalogue: Catalogue) {
        var builder = WordIndexBuilder()
        for product in catalogue.texts { builder.append(product) }
        (text, wordStarts) = (builder.words.text, builder.words.starts)
        count = catalogue.count
        (positionStarts, positions) = builder.positionsByWord
    }

    var byteCount: Int {
        text.count + (wordStarts.count + positionStarts.count + positions.count) * MemoryLayout<Int32>.stride
    }

    /// The products with a word that contains this one.
    func positions(containing word: SearchWord) -> PositionSet {
        let wanted = Array(word.folded.utf8)
        var found = PositionSet(outOf: count)
        var index = 0
        var place = Self.occurrence(of: wanted, in: text.span, from: 0)
        while let hit = place {
            while wordStarts[index + 1] <= hit { index += 1 }
            for entry in positionStarts[index]..<positionStarts[index + 1] { found.insert(Int(positions[Int(entry)])) }
            index += 1
            place = Self.occurrence(of: wanted, in: text.span, from: Int(wordStarts[index]))
        }
        return found
    }

    /// Finds the next occurrence of bytes without a blank, which are always within one word.
    private static func occurrence(of wanted: [UInt8], in text: Span<UInt8>, from start: Int) -> Int? {
        var place = start
        let end = text.count - wanted.count
        while place <= end {
            if text[place] == wanted[0], matches(wanted, text, at: place) { return place }
            place += 1
        }
        return nil
    }

    @inline(__always)
    private static func matches(_ wanted: [UInt8], _ text: Span<UInt8>, at place: Int) -> Bool {
        for offset in wanted.indices where text[place + offset] != wanted[offset] { return false }
        return true
    }
}

/// Collects the words of products in their order.
private struct WordIndexBuilder {
    private(set) var words = WordTable()
    /// The last product with each word, so that none is recorded twice.
    private var lastSeen: [Int32] = []
    private var seen: [(word: Int32, position: Int32)] = []
    private var position: Int32 = 0
    private var folding = TextFolding()

    mutating func append(_ product: ProductText) {
        append(product.nameRange, of: product)
        append(product.range(of: ProductMember.description), of: product)
        for name in product.categoryRanges { append(name, of: product) }
        position += 1
    }

    /// Splits a text into words: directly if it is plain ASCII, otherwise through a folded `String`.
    private mutating func append(_ range: Range<Int>?, of product: ProductText) {
        guard let range else { return }
        guard product.isPlain(range) else {
            for word in folding.words(of: product.text(range)) {
                let bytes = Array(word.utf8)
                var hash = words.empty
                for byte in bytes { hash.append(byte) }
                record(words.number(of: hash) { bytes[$0] })
            }
            return
        }
        let (text, folded) = (product.encoded.span, TextFolding.wordBytes)
        var (hash, start) = (words.empty, range.lowerBound)
        for at in range {
            let byte = folded[Int(text[at])]
            if byte != 0 {
                hash.append(byte)
                continue
            }
            if hash.length > 0 {
                record(words.number(of: hash) { folded[Int(text[start + $0])] })
                hash = words.empty
            }
            start = at + 1
        }
        if hash.length > 0 { record(words.number(of: hash) { folded[Int(text[start + $0])] }) }
    }

    /// The products by word: the start of each word's positions, and all positions.
    var positionsByWord: (starts: [Int32], positions: [Int32]) {
        var starts: [Int32] = Array(repeating: 0, count: words.starts.count)
        for entry in seen { starts[Int(entry.word) + 1] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        var next = starts
        var positions: [Int32] = Array(repeating: 0, count: seen.count)
        for entry in seen {
            positions[Int(next[Int(entry.word)])] = entry.position
            next[Int(entry.word)] += 1
        }
        return (starts, positions)
    }

    private mutating func record(_ word: Int32) {
        if word == lastSeen.count { lastSeen.append(-1) }
        guard lastSeen[Int(word)] != position else { return }
        lastSeen[Int(word)] = position
        seen.append((word, position))
    }
}

/// Numbers words by their bytes, in the order in which they first come.
///
/// The hash is seeded anew for each table, so that an upstream cannot choose words that collide.
struct WordTable {
    /// All words, each followed by a blank.
    private(set) var text: [UInt8] = []
    /// The start of each word, and the end of the last one.
    private(set) var starts: [Int32] = [0]
    /// The hash of no bytes.
    let empty = WordHash()
    private var hashes: [UInt64] = []
    /// A hash table of the words' numbers, each plus one; zero for an empty place.
    private var places: [Int32] = Array(repeating: 0, count: 1024)

    /// The number of a word.
    /// - Parameters:
    ///   - hash: the hash of its bytes, of which there is at least one.
    ///   - byte: returns the byte at an offset.
    @inline(__always)
    mutating func number(of hash: WordHash, _ byte: (Int) -> UInt8) -> Int32 {
        let value = hash.value
        var place = Int(truncatingIfNeeded: value) & (places.count - 1)
        while places[place] != 0 {
            let number = Int(places[place] - 1)
            if hashes[number] == value, isWord(number, hash.length, byte) { return Int32(number) }
            place = (place + 1) & (places.count - 1)
        }
        places[place] = Int32(hashes.count + 1)
        hashes.append(value)
        for offset in 0..<hash.length { text.append(byte(offset)) }
        text.append(UInt8(ascii: " "))
        starts.append(Int32(text.count))
        if hashes.count * 2 > places.count { grow() }
        return Int32(hashes.count - 1)
    }

    @inline(__always)
    private func isWord(_ number: Int, _ length: Int, _ byte: (Int) -> UInt8) -> Bool {
        let start = Int(starts[number])
        guard Int(starts[number + 1]) - start - 1 == length else { return false }
        let text = text.span
        for offset in 0..<length where text[start + offset] != byte(offset) { return false }
        return true
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: places.count * 2)
        for (number, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = Int32(number + 1)
        }
    }
}

/// A hash of bytes that come one by one.
struct WordHash {
    private(set) var length = 0
    private let factor = UInt64.random(in: 0 ... .max) | 1
    private var mixed = UInt64.random(in: 0 ... .max)
    /// The last bytes that are not in `mixed` yet.
    private var chunk: UInt64 = 0

    var value: UInt64 { mix(mixed ^ UInt64(length), chunk) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        length += 1
        chunk = chunk << 8 | UInt64(byte)
        if length & 7 == 0 {
            mixed = mix(mixed, chunk)
            chunk = 0
        }
    }

    @inline(__always)
    private func mix(_ hash: UInt64, _ chunk: UInt64) -> UInt64 {
        let product = (hash ^ chunk).multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}

/// A word of a search, without case and accents, compared by its bytes.
package struct SearchWord: Sendable, Hashable {
    private let word: ExactText

    /// Never empty.
    var folded: String { word.text }

    /// The words of a text, each once. Blanks and punctuation separate words; symbols such as `+` or an emoji do not.
    static func words(of text: String) -> Set<SearchWord> {
        var folding = TextFolding()
        return Set(folding.words(of: text).map { SearchWord(word: ExactText($0)) })
    }
}
