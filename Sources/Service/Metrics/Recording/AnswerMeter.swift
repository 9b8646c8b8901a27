internal import CoreMetrics
internal import Products

/// Counts the catalogues that requests were answered from.
struct AnswerMeter: Sendable {
    /// For each origin one for each freshness, in the order of their places.
    private let counters: [Counter]

    init(_ factory: any MetricsFactory) {
        counters = AnswerOrigin.allCases.flatMap { origin in
            AnswerFreshness.allCases.map { freshness in
                Counter(
                    label: MetricDescription.answers.seriesName,
                    dimensions: [("origin", origin.rawValue), ("freshness", freshness.rawValue)], factory: factory)
            }
        }
    }

    func note(_ answer: borrowing ProductsAnswer) {
        let place = AnswerOrigin(answer).place * AnswerFreshness.allCases.count + AnswerFreshness(answer).place
        counters[place].increment()
    }
}
