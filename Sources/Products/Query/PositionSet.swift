/// A set of positions in a catalogue, one bit for each product.
struct PositionSet: Sendable {
    private var bits: [UInt64]

    /// No position of a catalogue of so many products.
    init(outOf count: Int) {
        bits = Array(repeating: 0, count: (count + 63) / 64)
    }

    /// All positions of a catalogue of so many products.
    init(allOf count: Int) {
        bits = Array(repeating: .max, count: (count + 63) / 64)
        if count & 63 != 0 { bits[bits.count - 1] = 1 << UInt64(count & 63) - 1 }
    }

    /// The positions that a condition holds for.
    init(outOf count: Int, where holds: (Int) -> Bool) {
        self.init(outOf: count)
        for position in 0..<count where holds(position) { insert(position) }
    }

    /// These positions.
    init(outOf count: Int, _ positions: some Sequence<Int32>) {
        self.init(outOf: count)
        for position in positions { insert(Int(position)) }
    }

    var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    mutating func insert(_ position: Int) {
        bits[position >> 6] |= 1 << UInt64(position & 63)
    }

    mutating func formIntersection(_ other: PositionSet) {
        for index in bits.indices { bits[index] &= other.bits[index] }
    }

    /// The positions, from the least.
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
