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
