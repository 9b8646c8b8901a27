package import CoreMetrics
internal import Logging
internal import Products

/// The change of condition that a refresh brought, for the log.
struct MemoryTransition: Sendable {
    let from: MemoryCondition
    let to: MemoryCondition
    let failure: ProductsFailure?

    /// The log line for it; nil if nothing has changed for operators.
    var news: (level: Logger.Level, message: Logger.Message)? {
        switch (from, to) {
        case (.well, .well), (.offline, .offline), (.stale, .stale), (.empty, .empty), (.stale, .offline): nil
        case (_, .well): (.notice, "upstream recovered")
        case (.well, .empty): (.error, "upstream fails, nothing to serve")
        case (.well, .stale): (.warning, "upstream fails, the last good catalogue is stale")
        case (.well, _): (.warning, "upstream fails, serving the last good catalogue")
        case (.offline, .stale): (.warning, "upstream still fails, the last good catalogue is stale")
        case (_, .empty): (.error, "upstream still fails, the last good catalogue is too old to be served")
        case (.empty, _): (.notice, "upstream still fails, there is a catalogue to serve again")
        }
    }
}

/// The condition of a `memory`: whether its upstream works, and what is left to serve while it fails.
enum MemoryCondition: Sendable {
    /// The upstream works, as far as is known.
    case well
    /// The upstream fails; the served catalogue is within the window that clients are told.
    case offline
    /// The upstream fails, and the served catalogue is older than that.
    case stale
    /// The upstream fails, and nothing may be served.
    case empty
}

/// Counts the refreshes of one provider by outcome.
package struct RefreshMeter: Sendable {
    private let fetched: Counter
    private let unchanged: Counter
    private let failed: Counter

    package init(provider: String = "", factory: (any MetricsFactory)? = nil) {
        func counter(_ outcome: String) -> Counter {
            Counter(
                label: "larder_refresh_total", dimensions: [("provider", provider), ("outcome", outcome)],
                factory: factory ?? NOOPMetricsHandler.instance)
        }
        (fetched, unchanged, failed) = (counter("fetched"), counter("unchanged"), counter("failed"))
    }

    /// Counts a refresh. A fallback's substitute for a failure does not make it a success.
    func note(_ outcome: Result<ProductsAnswer, ProductsFailure>, replacing previous: ProductsSnapshot?) {
        guard case .success(let answer) = outcome, answer.failure == nil else { return failed.increment() }
        (answer.snapshot.revision == previous?.revision ? unchanged : fetched).increment()
    }
}
