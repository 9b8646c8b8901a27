/// Numbers words by their bytes, in the order of their first occurrence.
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

/// Hashes bytes one by one.
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
