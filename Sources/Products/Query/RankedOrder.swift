/// Sorts positions by rankings.
///
/// One stable pass for every eleven bits of every key, from the least significant: few milliseconds for 50,000
/// products and every key there is, so no order has to be kept.
struct RankedOrder {
    private static let digitBits: Int32 = 11
    private static let digitCount = 1 << Int(digitBits)

    private var positions: [Int32]
    private var other: [Int32]

    /// The positions by the keys, the first key first; those alike in all of them stay in their order.
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

    /// Moves the positions into the order of a digit.
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
