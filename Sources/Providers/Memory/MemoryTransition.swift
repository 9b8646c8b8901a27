internal import CoreMetrics
internal import Logging
internal import Products

/// What a refresh changed for whoever watches.
struct MemoryTransition: Sendable {
    let from: MemoryCondition
    let to: MemoryCondition
    /// Why the upstream fails; nil if it does not.
    let failure: ProductsFailure?

    /// What the log says of it; nil where that is no news.
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

/// How the upstream of a `memory` does, and what is left to serve while it fails.
enum MemoryCondition: Sendable {
    /// The upstream works, as far as is known.
    case well
    /// It fails; what is kept is served, and is no older than clients are told it may be.
    case offline
    /// It fails, and what is served is older than that.
    case stale
    /// It fails, and there is nothing that may be served.
    case empty
}

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
