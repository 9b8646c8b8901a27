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
        text = builder.text
        wordStarts = builder.wordStarts
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
    private(set) var text: [UInt8] = []
    private(set) var wordStarts: [Int32] = [0]
    private var words: [ExactText: Int32] = [:]
    /// The last product with each word, to record none twice.
    private var lastSeen: [Int32] = []
    private var seen: [(word: Int32, position: Int32)] = []
    private var position: Int32 = 0
    private var folding = TextFolding()

    mutating func append(_ product: ProductText) {
        for text in [product.name, product.description, product.category] {
            guard let text else { continue }
            for word in folding.words(of: text) { record(number(of: word)) }
        }
        position += 1
    }

    /// The products by word: the start of each word's positions, and all positions.
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

    private mutating func record(_ word: Int32) {
        guard lastSeen[Int(word)] != position else { return }
        lastSeen[Int(word)] = position
        seen.append((word, position))
    }

    private mutating func number(of word: String) -> Int32 {
        let bytes = ExactText(word)
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
