public import CoreMetrics

/// Counts the failures of one store, by reason.
public struct StoreFailureMeter: Sendable {
    private let counters: [StoreFailureReason: Counter]

    /// A meter.
    ///
    /// - Parameters:
    ///   - store: what metrics call the store.
    ///   - factory: where it is recorded; nowhere unless given.
    public init(store: String = "", factory: (any MetricsFactory)? = nil) {
        let counters = StoreFailureReason.allCases.map { reason in
            let counter = Counter(
                label: "larder_store_failures_total", dimensions: [("store", store), ("reason", reason.rawValue)],
                factory: factory ?? NOOPMetricsHandler.instance)
            return (reason, counter)
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
    }

    func note(_ reason: StoreFailureReason) { counters[reason]?.increment() }
}
