internal import CoreMetrics
internal import Products

/// Counts the refreshes of one provider that keeps answers, by what came of them.
struct RefreshMeter: Sendable {
    private let fetched: Counter
    private let unchanged: Counter
    private let failed: Counter

    /// - Parameters:
    ///   - provider: what metrics call it.
    ///   - factory: where it is recorded; nowhere unless given.
    init(provider: String = "", factory: (any MetricsFactory)? = nil) {
        func counter(_ outcome: String) -> Counter {
            Counter(
                label: "larder_refresh_total", dimensions: [("provider", provider), ("outcome", outcome)],
                factory: factory ?? NOOPMetricsHandler.instance)
        }
        (fetched, unchanged, failed) = (counter("fetched"), counter("unchanged"), counter("failed"))
    }

    /// Counts a refresh. A substitute that a fallback gave for a failure does not make it a success.
    func note(_ outcome: Result<ProductsAnswer, ProductsFailure>, replacing previous: ProductsSnapshot?) {
        guard case .success(let answer) = outcome, answer.failure == nil else { return failed.increment() }
        (answer.snapshot.revision == previous?.revision ? unchanged : fetched).increment()
    }
}
