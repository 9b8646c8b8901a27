/// Which form of metrics a client likes best, by its `Accept` (RFC 9110, 12.5.1).
enum AcceptedMetrics {
    /// The form to answer with. It is the older one for who accepts neither: a scraper that asks for what is not there
    /// still reads that, and a person at a terminal anyway.
    ///
    /// - Parameter header: the value of `Accept`; nil without one.
    static func best(_ header: String?) -> MetricsFormat {
        let ranges = (header ?? "").split(separator: ",").compactMap(MediaRange.init)
        let weights = MetricsFormat.allCases.map { (format: $0, weight: weight(of: $0, in: ranges)) }
        let best = weights.map(\.weight).max() ?? 0
        guard best > 0 else { return .text }
        return weights.last { $0.weight == best }?.format ?? .text
    }

    /// What the most exact range that takes in the form gives it, in thousandths. OpenMetrics is for who names it.
    private static func weight(of format: MetricsFormat, in ranges: [MediaRange]) -> Int {
        let matching = ranges.filter { $0.includes(format) }
        return matching.max { $0.exactness < $1.exactness }?.weight ?? 0
    }
}
