/// The rank of each product by one member: equal values have one rank, and products without the member the last one.
struct Ranking: Sendable {
    /// The rank of the product at each position.
    let ranks: [Int32]
    /// The position of one product of each rank, but for those without the member.
    let examples: [Int32]

    /// The rank of products without the member.
    var missing: Int32 { Int32(examples.count) }

    /// How many bytes its numbers take.
    var byteCount: Int { (ranks.count + examples.count) * MemoryLayout<Int32>.stride }

    /// - Parameter keys: the member of the product at each position.
    init<Key: Comparable>(_ keys: [Key?]) {
        var present: [(key: Key, position: Int32)] = []
        present.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() {
            if let key { present.append((key, Int32(position))) }
        }
        present.sort { $0.key < $1.key }
        var ranks: [Int32] = Array(repeating: -1, count: keys.count)
        var examples: [Int32] = []
        for (index, (key, position)) in present.enumerated() {
            if index == 0 || present[index - 1].key < key { examples.append(position) }
            ranks[Int(position)] = Int32(examples.count - 1)
        }
        let missing = Int32(examples.count)
        self.ranks = ranks.map { $0 < 0 ? missing : $0 }
        self.examples = examples
    }
}
