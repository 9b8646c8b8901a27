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
    package static let telemetryLogRecords = MetricDescription(
        "larder_telemetry_log_records", .counter, "Lines of the log that the collector of telemetry has taken.")
    package static let telemetryDropped = MetricDescription(
        "larder_telemetry_dropped", .counter,
        "Spans and lines of the log that were lost, by signal and reason: queue_full, if more are recorded than the collector "
            + "takes; trace_full, beyond the first of a refresh that is recorded only if it fails; undelivered, after the "
            + "last try; refused or rejected by the collector; closed, if the service stopped before.")
}

/// Counts the exports of a signal, and its lost records.
struct OTLPMeter: Sendable {
    enum Loss: String, Sendable, CaseIterable {
        case queueFull = "queue_full"
        case traceFull = "trace_full"
        case undelivered, refused, rejected, closed
    }

    private enum Result: String, Sendable, CaseIterable {
        case ok, refused, failed
    }

    private let exports: [Result: Counter]
    private var records: Counter?
    private var losses: [Loss: Counter] = [:]

    init(_ signal: OTLPSignal, _ factory: any MetricsFactory) {
        let labels = [("signal", signal.rawValue)]
        exports = MetricDescription.telemetryExports.counters(by: "outcome", labels, in: factory)
        // Metrics are totals: the next export makes up for a lost one.
        if signal == .metrics { return }
        records = (signal == .traces ? MetricDescription.telemetrySpans : .telemetryLogRecords).counter(in: factory)
        losses = MetricDescription.telemetryDropped.counters(by: "reason", labels, in: factory)
    }

    func count(_ outcome: OTLPEndpoint.Outcome) {
        let result: Result =
            switch outcome {
            case .taken: .ok
            case .refused: .refused
            case .failed, .interrupted: .failed
            }
        exports[result]?.increment()
    }

    func take(_ count: Int, rejected: Int) {
        records?.increment(by: Int64(max(0, count - rejected)))
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
        case full = "records are dropped"
    }

    fileprivate let problem: Problem
    fileprivate let signal: OTLPSignal

    var kind: Trouble.Kind { .telemetry }
    var name: String { "\(problem) \(signal)" }
    var level: Logger.Level { .warning }
    var beginning: Logger.Message { problem == .full ? "\(signal.records) are dropped" : "\(problem.rawValue)" }

    var end: Logger.Message? {
        switch problem {
        case .undelivered: "telemetry is delivered again"
        case .refused: "telemetry is accepted again"
        case .full: "no \(signal.records) are dropped any more"
        }
    }
}

extension TroubleLog<TelemetryTrouble> {
    func report(_ outcome: OTLPEndpoint.Outcome, _ signal: OTLPSignal) {
        switch outcome {
        case .taken(let rejected, let reason):
            report(.undelivered, signal, nil)
            report(.refused, signal, rejected > 0 ? "a part is rejected: \(reason)" : nil)
        case .refused(let text):
            report(.undelivered, signal, nil)
            report(.refused, signal, text)
        case .failed(let text, _): report(.undelivered, signal, text)
        case .interrupted: break
        }
    }

    func report(_ problem: TelemetryTrouble.Problem, _ signal: OTLPSignal, _ cause: String?) {
        var metadata: Logger.Metadata = ["signal": "\(signal)"]
        metadata["error"] = cause.map { "\($0)" }
        report(TelemetryTrouble(problem: problem, signal: signal), cause: cause, metadata)
    }

    /// Ends the troubles of a signal that is not exported any more.
    func end(of signal: OTLPSignal) {
        for problem in TelemetryTrouble.Problem.allCases { report(problem, signal, nil) }
    }
}
