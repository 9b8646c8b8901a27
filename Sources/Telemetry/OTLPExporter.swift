package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import Health
package import Logging
package import Prometheus
package import Tracing

/// Exports spans, lines of the log and metrics to a collector.
///
/// Spans and lines wait in queues, which send them in batches. Another task sends the metrics at intervals; they are
/// totals, so the next ones make up for those that failed.
package final class OTLPExporter: SpanSink, TroubleReporting {
    /// The destination of a config.
    package struct Destination: Sendable {
        let endpoint: OTLPEndpoint
        let counters: any MetricsFactory
        let exportsLogs: Bool
        /// Returns all metrics; nil if they are not exported.
        let metrics: (@Sendable () async -> [MetricFamily])?

        /// - Parameter counters: makes the exporter's own counters, for the first destination.
        package init(
            _ endpoint: OTLPEndpoint, counters: any MetricsFactory, logs: Bool,
            metrics: (@Sendable () async -> [MetricFamily])?
        ) {
            (self.endpoint, self.counters, exportsLogs, self.metrics) = (endpoint, counters, logs, metrics)
        }
    }

    private struct State: Sendable {
        var destination: Destination?
        /// Made with the first destination, so that services without one do not expose them.
        var meters: [OTLPSignal: OTLPMeter] = [:]
    }

    private static let interval = Duration.seconds(15)

    private let resource: OTLPResource
    private let wallClock: WallClock
    private let clock: any Clock<Duration>
    private let start: Int64
    private let logger: Logger
    private let troubleLog: TroubleLog<TelemetryTrouble>
    private let state = Mutex(State())
    private let spans: OTLPQueue<FinishedSpan>
    private let logs: OTLPQueue<LogRecord>
    private let metrics = WokenTask()

    /// - Parameter logger: gets the exporter's own lines, which are not exported: each would cause another request.
    package init(
        _ resource: OTLPResource, logger: Logger, wallClock: WallClock = .system,
        clock: any Clock<Duration> = ContinuousClock(), jitter: JitterSource = .system
    ) {
        (self.resource, self.wallClock, self.clock) = (resource, wallClock, clock)
        (self.logger, start) = (logger, wallClock.nanoseconds)
        troubleLog = TroubleLog(logger, wallClock: wallClock)
        spans = OTLPQueue(resource, troubleLog, keepsEarly: false, clock: clock, jitter: jitter)
        logs = OTLPQueue(resource, troubleLog, keepsEarly: true, clock: clock, jitter: jitter)
    }

    package var troubles: [Trouble] { troubleLog.troubles }

    /// Sends to this destination from now on; nil for none, and what waits is then forgotten.
    package func send(to destination: Destination?) {
        let meters = state.withLock { state in
            state.destination = destination
            if let destination, state.meters.isEmpty {
                for signal in OTLPSignal.allCases { state.meters[signal] = OTLPMeter(signal, destination.counters) }
            }
            return state.meters
        }
        spans.send(to: destination?.endpoint, meters[.traces])
        logs.send(to: destination?.exportsLogs == true ? destination?.endpoint : nil, meters[.logs])
        if destination?.metrics == nil { troubleLog.end(of: .metrics) } else { metrics.wake() }
    }

    /// Starts the tasks. To be called once.
    package func run() {
        spans.run()
        logs.run()
        metrics.start { [self] in await sendMetrics() }
    }

    /// Sends what waits and the last metrics, within this time. Spans and lines that are left are dropped.
    package func close(within limit: Duration) async {
        async let leftSpans = spans.close(within: limit)
        async let leftLogs = logs.close(within: limit)
        await metrics.close(within: limit, timeout: limit * 0.9, clock: clock)
        for (signal, left) in await [(OTLPSignal.traces, leftSpans), (.logs, leftLogs)] where left > 0 {
            logger.warning(
                "\(signal.records) are lost, the collector has not taken them in time", metadata: ["count": "\(left)"])
        }
        state.withLock { $0.destination = nil }
    }

    package func record(_ span: FinishedSpan) { spans.record(span) }

    package func drop(_ count: Int) { spans.drop(count, .traceFull) }

    /// Returns a logger whose lines go to this one, and to the collector if it wants them.
    package func exporting(_ logger: Logger) -> Logger {
        Logger(label: logger.label) { [self] _ in
            ExportedLogHandler(upstream: logger.handler, records: logs, wallClock: wallClock)
        }
    }

    private func sendMetrics() async {
        guard let destination = state.withLock(\.destination), let metrics = destination.metrics else { return }
        let families = await metrics()
        let time = wallClock.nanoseconds
        let body = try? await offLoop { [resource, start] in resource.request(families, since: start, at: time) }
        let outcome = await destination.endpoint.send(.metrics, body ?? [])
        state.withLock(\.meters)[.metrics]?.count(outcome)
        troubleLog.report(outcome, .metrics)
        self.metrics.wake(after: Self.interval, clock: clock)
    }
}

extension WallClock {
    /// The nanoseconds since 1970.
    var nanoseconds: Int64 { Int64(now().timeIntervalSince1970 * 1e9) }
}
