internal import CoreMetrics
internal import Health
internal import Logging
package import Prometheus

extension MetricDescription {
    package static let telemetryExports = MetricDescription(
        "larder_telemetry_exports", .counter,
        "Requests to the collector of telemetry, by signal and outcome; those that failed are sent again.")
    package static let telemetrySpans = MetricDescription(
        "larder_telemetry_spans", .counter, "Spans that the collector of telemetry has taken.")
    package static let telemetryDropped = MetricDescription(
        "larder_telemetry_dropped", .counter,
        "Spans that were lost, by reason: queue_full, if more are recorded than the collector takes; undelivered, after "
            + "the last try; refused or rejected by the collector; closed, if the service stopped before.")
}

/// Counts exports and lost spans.
struct OTLPMeter: Sendable {
    enum Loss: String, Sendable, CaseIterable {
        case queueFull = "queue_full"
        case undelivered, refused, rejected, closed
    }

    private enum Result: String, Sendable, CaseIterable {
        case ok, refused, failed
    }

    private let exports: [OTLPSignal: [Result: Counter]]
    private let spans: Counter
    private let losses: [Loss: Counter]

    init(_ factory: any MetricsFactory) {
        exports = Dictionary(
            uniqueKeysWithValues: OTLPSignal.allCases.map { signal in
                (
                    signal,
                    MetricDescription.telemetryExports.counters(
                        by: "outcome", [("signal", signal.rawValue)], in: factory)
                )
            })
        spans = MetricDescription.telemetrySpans.counter(in: factory)
        losses = MetricDescription.telemetryDropped.counters(by: "reason", in: factory)
    }

    func count(_ signal: OTLPSignal, _ outcome: OTLPEndpoint.Outcome) {
        let result: Result =
            switch outcome {
            case .taken: .ok
            case .refused: .refused
            case .failed, .interrupted: .failed
            }
        exports[signal]?[result]?.increment()
    }

    func take(_ count: Int, rejected: Int) {
        spans.increment(by: Int64(max(0, count - rejected)))
        drop(min(rejected, count), .rejected)
    }

    func drop(_ count: Int, _ reason: Loss) {
        if count > 0 { losses[reason]?.increment(by: Int64(count)) }
    }
}

/// A condition that loses or delays telemetry.
struct TelemetryTrouble: LoggedTrouble {
    enum Problem: String, CaseIterable {
        case undelivered = "telemetry cannot be delivered"
        case refused = "telemetry is refused"
        case full = "spans are dropped"
    }

    private let problem: Problem
    private let signal: OTLPSignal

    init(_ problem: Problem, _ signal: OTLPSignal) {
        (self.problem, self.signal) = (problem, signal)
    }

    static let all = OTLPSignal.allCases.flatMap { signal in
        Problem.allCases.map { TelemetryTrouble($0, signal) }
    }

    var kind: Trouble.Kind { .telemetry }
    var name: String { "\(problem) \(signal)" }
    var level: Logger.Level { .warning }
    var beginning: Logger.Message { "\(problem.rawValue)" }

    var end: Logger.Message? {
        switch problem {
        case .undelivered: "telemetry is delivered again"
        case .refused: "telemetry is accepted again"
        case .full: "no spans are dropped any more"
        }
    }
}
