internal import FoundationEssentials
internal import JSON

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
