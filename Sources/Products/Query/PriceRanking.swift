import FoundationEssentials

/// The products' ranks by the amounts of their prices, and the amounts, so that a range is looked up once and compared
/// by rank.
struct PriceRanking: Sendable {
    let ranking: Ranking
    private let amounts: [Decimal]

    init(_ products: [any Product]) {
        let amounts = products.map(\.price.amount)
        ranking = Ranking(amounts)
        self.amounts = ranking.examples.map { amounts[Int($0)] }
    }

    /// How many bytes its numbers take.
    var byteCount: Int { ranking.byteCount + amounts.count * MemoryLayout<Decimal>.stride }

    /// The ranks of the amounts in a range, whose ends are in it.
    func ranks(from least: Decimal?, through greatest: Decimal?) -> Range<Int32> {
        let lower = least.map { least in partition { $0 >= least } } ?? 0
        let upper = greatest.map { greatest in partition { $0 > greatest } } ?? amounts.count
        return Int32(lower)..<Int32(max(lower, upper))
    }

    /// The first index of an amount from which on the condition holds.
    private func partition(_ holds: (Decimal) -> Bool) -> Int {
        var (low, high) = (0, amounts.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(amounts[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
