/// Ranks products by one member: equal values share a rank, and products without the member have the last one.
struct Ranking: Sendable {
    let ranks: [Int32]
    /// The position of one product of each rank but `missing`.
    let examples: [Int32]

    /// The rank of products without the member.
    var missing: Int32 { Int32(examples.count) }

    var byteCount: Int { (ranks.count + examples.count) * MemoryLayout<Int32>.stride }

    init(ranks: [Int32], examples: [Int32]) {
        (self.ranks, self.examples) = (ranks, examples)
    }

    /// - Parameters:
    ///   - present: the products with the member, each with a number. Members whose numbers differ are in the numbers'
    ///     order.
    ///   - count: the number of all products.
    ///   - precedes: compares members of products whose numbers are equal.
    init(
        _ present: [(key: Int, position: Int32)], outOf count: Int,
        precedes: (_ left: Int32, _ right: Int32, _ key: Int) -> Bool
    ) {
        func isBefore(_ left: (key: Int, position: Int32), _ right: (key: Int, position: Int32)) -> Bool {
            left.key == right.key ? precedes(left.position, right.position, left.key) : left.key < right.key
        }
        let present = present.sorted(by: isBefore)
        var ranks: [Int32] = Array(repeating: -1, count: count)
        var examples: [Int32] = []
        for (index, entry) in present.enumerated() {
            if index == 0 || isBefore(present[index - 1], entry) { examples.append(entry.position) }
            ranks[Int(entry.position)] = Int32(examples.count - 1)
        }
        if present.count < count {
            let missing = Int32(examples.count)
            for position in ranks.indices where ranks[position] < 0 { ranks[position] = missing }
        }
        self.ranks = ranks
        self.examples = examples
    }
}

/// Sorts positions by rankings.
///
/// A radix sort: one stable pass for every eleven bits of every key, from the least significant. It takes a few
/// milliseconds for 50,000 products and all keys, so orders are not cached.
struct RankedOrder {
    private static let digitBits: Int32 = 11
    private static let digitCount = 1 << Int(digitBits)

    private var positions: [Int32]
    private var other: [Int32]

    /// Sorts by the keys, the primary one first; equal positions keep their order.
    static func sorted(_ positions: [Int32], by keys: [(ranking: Ranking, isDescending: Bool)]) -> [Int32] {
        var order = RankedOrder(positions: positions, other: positions)
        for key in keys.reversed() { order.sort(by: key.ranking, isDescending: key.isDescending) }
        return order.positions
    }

    private mutating func sort(by ranking: Ranking, isDescending: Bool) {
        var shift: Int32 = 0
        repeat {
            if isDescending {
                let (last, missing) = (ranking.missing - 1, ranking.missing)
                pass { position in
                    let rank = ranking.ranks[position]
                    return Int((rank == missing ? missing : last - rank) >> shift) & (Self.digitCount - 1)
                }
            } else {
                pass { Int(ranking.ranks[$0] >> shift) & (Self.digitCount - 1) }
            }
            shift += Self.digitBits
        } while ranking.missing >> shift > 0
    }

    /// Sorts by one digit.
    @inline(__always)
    private mutating func pass(_ digit: (Int) -> Int) {
        var starts = Array(repeating: 0, count: Self.digitCount + 1)
        for position in positions { starts[digit(Int(position)) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        for position in positions {
            let place = digit(Int(position))
            other[starts[place]] = position
            starts[place] += 1
        }
        swap(&positions, &other)
    }
}

/// A set of positions in a catalogue, one bit for each product.
struct PositionSet: Sendable {
    private var bits: [UInt64]

    init(outOf count: Int) {
        bits = Array(repeating: 0, count: (count + 63) / 64)
    }

    init(allOf count: Int) {
        bits = Array(repeating: .max, count: (count + 63) / 64)
        if count & 63 != 0 { bits[bits.count - 1] = 1 << UInt64(count & 63) - 1 }
    }

    init(outOf count: Int, where holds: (Int) -> Bool) {
        self.init(outOf: count)
        for position in 0..<count where holds(position) { insert(position) }
    }

    init(outOf count: Int, _ positions: some Sequence<Int32>) {
        self.init(outOf: count)
        for position in positions { insert(Int(position)) }
    }

    var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    func contains(_ position: Int) -> Bool { bits[position >> 6] & 1 << UInt64(position & 63) != 0 }

    mutating func insert(_ position: Int) {
        bits[position >> 6] |= 1 << UInt64(position & 63)
    }

    mutating func formIntersection(_ other: PositionSet) {
        for index in bits.indices { bits[index] &= other.bits[index] }
    }

    /// All other positions.
    func inverted(outOf count: Int) -> PositionSet {
        var all = PositionSet(allOf: count)
        for index in bits.indices { all.bits[index] &= ~bits[index] }
        return all
    }

    /// The positions in ascending order.
    var positions: [Int32] {
        var positions: [Int32] = []
        positions.reserveCapacity(count)
        for index in bits.indices {
            var rest = bits[index]
            while rest != 0 {
                positions.append(Int32(index << 6 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return positions
    }
}
