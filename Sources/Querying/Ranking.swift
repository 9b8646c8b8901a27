internal import FoundationEssentials
internal import Products

/// Ranks products by one member: equal values share a rank, and products without the member have the last one.
struct Ranking: Sendable {
    let ranks: [Int32]
    /// The position of one product of each rank but `missing`.
    let examples: [Int32]

    /// The rank of products without the member.
    var missing: Int32 { Int32(examples.count) }

    var byteCount: Int { (ranks.count + examples.count) * MemoryLayout<Int32>.stride }

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

    mutating func insert(_ position: Int) {
        bits[position >> 6] |= 1 << UInt64(position & 63)
    }

    mutating func formIntersection(_ other: PositionSet) {
        for index in bits.indices { bits[index] &= other.bits[index] }
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

/// Ranks products by price, so that a range is looked up once and compared by rank.
struct PriceRanking: Sendable {
    let ranking: Ranking
    private let catalogue: Catalogue

    init(_ catalogue: Catalogue) {
        let (bytes, ranges) = (catalogue.encoded, catalogue.texts.map(\.amountRange))
        let keys = ranges.enumerated().map { (PlainAmount.key(bytes.span, $1), Int32($0)) }
        ranking = Ranking(keys, outOf: ranges.count) { left, right, key in
            guard !PlainAmount.isExact(key) else { return false }
            return PlainAmount(bytes[ranges[Int(left)]]) < PlainAmount(bytes[ranges[Int(right)]])
        }
        self.catalogue = catalogue
    }

    var byteCount: Int { ranking.byteCount }

    /// The ranks of the amounts in a closed range.
    func ranks(from least: Decimal?, through greatest: Decimal?) -> Range<Int32> {
        let lower = least.map { PlainAmount($0) }.map { least in partition { !($0 < least) } } ?? 0
        let upper = greatest.map { PlainAmount($0) }.map { greatest in partition { greatest < $0 } }
        return Int32(lower)..<Int32(max(lower, upper ?? ranking.examples.count))
    }

    /// The index of the first amount for which the condition holds; it must hold for all later ones.
    private func partition(_ holds: (PlainAmount) -> Bool) -> Int {
        var (low, high) = (0, ranking.examples.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(amount(at: ranking.examples[middle])) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func amount(at position: Int32) -> PlainAmount {
        PlainAmount(catalogue.encoded[catalogue.text(at: Int(position)).amountRange])
    }
}
