/// Which words occur in which products' names, descriptions and categories.
struct WordIndex: Sendable {
    /// All words, each with a blank after it.
    private let text: [UInt8]
    /// Where each word begins in `text`, and the end.
    private let wordStarts: [Int32]
    /// Where the positions of the products that have a word begin in `positions`, and the end.
    private let positionStarts: [Int32]
    private let positions: [Int32]
    private let count: Int

    init(_ products: [any Product]) {
        var builder = WordIndexBuilder()
        for product in products { builder.append(product.details) }
        text = builder.text
        wordStarts = builder.wordStarts
        count = products.count
        (positionStarts, positions) = builder.positionsByWord
    }

    /// How many bytes its words and numbers take.
    var byteCount: Int {
        text.count + (wordStarts.count + positionStarts.count + positions.count) * MemoryLayout<Int32>.stride
    }

    /// The products that have a word of which this one is a part.
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

    /// Where some bytes next occur. They hold no blank, so they never reach over the end of a word.
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

/// Gathers the words of products, one product after the other.
struct WordIndexBuilder {
    private(set) var text: [UInt8] = []
    private(set) var wordStarts: [Int32] = [0]
    private var words: [WordBytes: Int32] = [:]
    /// The product that each word was last seen in, so that none is noted twice.
    private var lastSeen: [Int32] = []
    private var seen: [(word: Int32, position: Int32)] = []
    private var position: Int32 = 0
    private var folding = TextFolding()

    /// Notes the words of the next product.
    mutating func append(_ details: ProductDetails) {
        for text in [details.name, details.description, details.category] {
            guard let text else { continue }
            for word in folding.words(of: text) { note(number(of: word)) }
        }
        position += 1
    }

    /// The positions of the products that have a word, word by word: where those of each word begin, and all of them.
    var positionsByWord: (starts: [Int32], positions: [Int32]) {
        var starts: [Int32] = Array(repeating: 0, count: wordStarts.count)
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

    private mutating func note(_ word: Int32) {
        guard lastSeen[Int(word)] != position else { return }
        lastSeen[Int(word)] = position
        seen.append((word, position))
    }

    private mutating func number(of word: String) -> Int32 {
        let bytes = WordBytes(word: word)
        if let number = words[bytes] { return number }
        let number = Int32(words.count)
        words[bytes] = number
        lastSeen.append(-1)
        text.append(contentsOf: word.utf8)
        text.append(UInt8(ascii: " "))
        wordStarts.append(Int32(text.count))
        return number
    }
}

/// A word of a text as a search compares it: without case and accents, and byte by byte.
public struct SearchWord: Sendable, Hashable {
    /// Compared as it is spelt, which is what the index does: a decomposed word is not found by its composed form.
    private let word: ExactText

    /// The word, folded; never empty.
    var folded: String { word.text }

    /// The words of a text, each once. Blanks and punctuation stand between words; symbols, as `+` or an emoji, are
    /// parts of them.
    static func words(of text: String) -> Set<SearchWord> {
        var folding = TextFolding()
        return Set(folding.words(of: text).map { SearchWord(word: ExactText($0)) })
    }
}

/// A word that is equal only to one of the same bytes: a search looks for bytes, and must find each form of a word that
/// `String` takes for one.
struct WordBytes: Hashable {
    let word: String

    static func == (left: WordBytes, right: WordBytes) -> Bool {
        guard left.word.utf8.count == right.word.utf8.count, left.word == right.word else { return false }
        return left.word.utf8Span.isKnownASCII || left.word.utf8.elementsEqual(right.word.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(word)
    }
}
