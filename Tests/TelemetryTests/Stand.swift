import Concurrency
import CoreMetrics
import Networking
import Prometheus
import TestSupport

@testable import Telemetry
@testable import Tracing

/// An exporter in front of a collector.
struct Stand: Sendable {
    let collector = CollectorStandIn()
    let clock = ManualClock()
    let log = LogRecorder()
    let registry = MetricsRegistry(known: [.telemetryExports, .telemetrySpans, .telemetryLogRecords, .telemetryDropped])
    let exporter: OTLPExporter

    init() {
        exporter = OTLPExporter(
            OTLPResource(version: "1", instance: "a"), logger: log.logger, clock: clock, jitter: JitterSource { 1 })
    }

    /// Runs a test with an exporter that sends spans, and lines and metrics if they are wanted.
    static func with(
        metrics: Bool = false, logs: Bool = false, _ body: (Stand) async throws -> Void
    ) async throws {
        let stand = Stand()
        defer { stand.collector.stop() }
        try await withClient { client in
            stand.send(client, metrics: metrics, logs: logs)
            stand.exporter.run()
            try await body(stand)
            await stand.exporter.close(within: .seconds(5))
        }
    }

    /// Exports to the collector from now on.
    func send(_ client: HTTPClient, metrics: Bool = false, logs: Bool) {
        let endpoint = OTLPEndpoint(
            client: client, url: collector.url, headers: [HTTPHeader("X-Key", "k")], secrets: [])
        let families: @Sendable () async -> [MetricFamily] = { [registry] in await registry.families() }
        exporter.send(
            to: OTLPExporter.Destination(
                endpoint, counters: registry, logs: logs, metrics: metrics ? families : nil))
    }

    func record(_ count: Int) {
        for number in 0..<count {
            exporter.record(
                FinishedSpan(
                    trace: TraceContext(traceID: String(repeating: "c", count: 32)), id: UInt64(number + 1), parent: 0,
                    name: "\(number)", kind: .internal, start: 1, end: 2, attributes: [], failure: nil))
        }
    }

    /// Lets time pass until something has happened.
    func letTimePass(by step: Duration = .seconds(1), until isSo: () -> Bool) async {
        await yieldUntil {
            if !isSo() { clock.advance(by: step) }
            return isSo()
        }
    }

    func dropped(_ reason: String, _ signal: String = "traces") async throws -> Double? {
        try ExposedMetrics(MetricsWriter.text(of: await registry.families()))
            .value("larder_telemetry_dropped_total", ["reason": reason, "signal": signal])
    }

    func taken(_ name: String = "larder_telemetry_spans_total") async throws -> Double? {
        try ExposedMetrics(MetricsWriter.text(of: await registry.families())).value(name)
    }
}
