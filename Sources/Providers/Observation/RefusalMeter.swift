internal import CoreMetrics
package import Logging
internal import Products
package import Tracing

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

extension RequestIdentity {
    /// The metadata of log lines about the request.
    package var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["request_id": "\(id)"]
        if let trace { metadata["trace_id"] = "\(trace.traceID)" }
        return metadata
    }
}
