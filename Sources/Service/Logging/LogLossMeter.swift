internal import CoreMetrics

/// Counts lost log lines, by reason.
struct LogLossMeter: Sendable {
    private let counters: [LogLossReason: Counter]

    /// - Parameter factory: where it is recorded.
    init(_ factory: any MetricsFactory) {
        let counters = LogLossReason.allCases.map { reason in
            let dimensions = [("reason", reason.rawValue)]
            let label = MetricDescription.logDropped.seriesName
            return (reason, Counter(label: label, dimensions: dimensions, factory: factory))
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
    }

    func note(_ count: Int, _ reason: LogLossReason) { counters[reason]?.increment(by: count) }
}
