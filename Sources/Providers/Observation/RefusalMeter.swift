internal import CoreMetrics
public import Logging
internal import Products
public import Tracing

/// Counts catalogues that are not believed, by reason. Who refuses one counts it, and who passes the failure on does
/// not.
struct RefusalMeter: Sendable {
    private let counters: [RefusalReason.Rule: Counter]

    /// - Parameter factory: where it is recorded, each reason from 0 on, so that the first refusal is an increase;
    ///   nowhere unless given.
    init(_ factory: (any MetricsFactory)? = nil) {
        let counters = RefusalReason.Rule.allCases.map { rule in
            let counter = Counter(
                label: "larder_refused_total", dimensions: [("reason", rule.rawValue)],
                factory: factory ?? NOOPMetricsHandler.instance)
            return (rule, counter)
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
    }

    /// Counts the failure, if it is a refusal.
    func note(_ failure: ProductsFailure) {
        guard case .refused(let reason, _) = failure else { return }
        counters[reason.rule]?.increment()
    }

    /// Does what may refuse a catalogue.
    func counting<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let failure as ProductsFailure {
            note(failure)
            throw failure
        }
    }
}

extension RequestCause {
    /// What a log line about the request has beside what it tells.
    public var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["request_id": "\(id)"]
        if let trace { metadata["trace_id"] = "\(trace.traceID)" }
        return metadata
    }
}
