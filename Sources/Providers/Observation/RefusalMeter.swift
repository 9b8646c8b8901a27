internal import CoreMetrics
internal import Products

/// Counts refused catalogues by reason. The provider that refuses one counts it; those that pass the failure on do not.
struct RefusalMeter: Sendable {
    private let counters: [RefusalReason.Rule: Counter]

    /// - Parameter factory: makes the counters, each from 0 on, so that the first refusal is an increase; without one
    ///   nothing is recorded.
    init(_ factory: (any MetricsFactory)? = nil) {
        counters = RefusalReason.Rule.allCases.reduce(into: [:]) { counters, rule in
            counters[rule] = Counter(
                label: "larder_refused_total", dimensions: [("reason", rule.rawValue)],
                factory: factory ?? NOOPMetricsHandler.instance)
        }
    }

    /// Counts the failure, if it is a refusal.
    func note(_ failure: ProductsFailure) {
        guard case .refused(let reason, _) = failure else { return }
        counters[reason.rule]?.increment()
    }

    /// Runs work that may refuse a catalogue.
    func counting<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let failure as ProductsFailure {
            note(failure)
            throw failure
        }
    }
}
