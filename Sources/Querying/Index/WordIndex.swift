internal import Decoding
internal import JSON
internal import Products

/// Maps words of names, descriptions and categories, or of other searched members, to products.
struct WordIndex: Sendable {
    /// All words, each followed by a blank.
    private let text: [UInt8]
    /// The start of each word in `text`, and the end.
    private let wordStarts: [Int32]
    /// The start of each word's products in `positions`, and the end.
    private let positionStarts: [Int32]
    private let positions: [Int32]
    private let count: Int

    /// - Parameter searched: the members with the words; nil for name, description and category.
    init(_ catalogue: Catalogue, searched: [ItemPath]? = nil) {
        var builder = WordIndexBuilder()
        if let searched {
            let scan = MemberScan([searched.filter { $0.member != ProductMember.category }])
            let hasCategory = searched.contains { $0.member == ProductMember.category }
            for product in catalogue.texts { builder.append(product, scan, hasCategory: hasCategory) }
        } else {
            for product in catalogue.texts { builder.append(product) }
        }
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

    /// Adds the words at the paths of a scan, and of the categories if they are wanted.
    mutating func append(_ product: ProductText, _ scan: MemberScan, hasCategory: Bool) {
        scan.scan(product.encoded, product.range) { bytes, found in
            let isText = bytes[found.range.lowerBound] == UInt8(ascii: "\"")
            let content = isText ? found.range.dropFirst().dropLast() : found.range
            if found.isCopied {
                let value = try? JSONParser().parse(bytes, in: found.range)
                append(words: value?.scalarText ?? "")
            } else {
                append(content, of: product)
            }
        }
        if hasCategory { for name in product.categoryRanges { append(name, of: product) } }
        position += 1
    }

    private mutating func append(words text: String) {
        for word in folding.words(of: text) {
            let bytes = Array(word.utf8)
            var hash = words.empty
            for byte in bytes { hash.append(byte) }
            record(words.number(of: hash) { bytes[$0] })
        }
    }

    /// Splits a text into words: directly if it is plain ASCII, otherwise through a folded `String`.
    private mutating func append(_ range: Range<Int>?, of product: ProductText) {
        guard let range else { return }
        guard product.isPlain(range) else { return append(words: product.text(range)) }
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
