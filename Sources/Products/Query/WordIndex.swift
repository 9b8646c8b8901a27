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
