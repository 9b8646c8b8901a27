internal import Concurrency
internal import CoreMetrics
internal import Logging
internal import Networking
internal import Prometheus
internal import ServiceLifecycle
internal import Telemetry
internal import Tracing

/// Exports the telemetry of the process as the edition in force says, from the start until all else has stopped.
final class TelemetryExport: Service {
    /// The time limit for the last spans, lines and metrics.
    private static let closing = Duration.seconds(2)

    private let exporter: OTLPExporter
    private let tracer: Tracer
    private let shared: HTTPClient
    private let counters: any MetricsFactory
    private let logger: Logger
    /// The client of the edition in force, if it is not the shared one.
    private let own = Mutex<HTTPClient?>(nil)

    /// - Parameters:
    ///   - counters: makes the exporter's own counters.
    ///   - logger: gets the lines of the way to the collector, which are not exported.
    init(
        _ exporter: OTLPExporter, _ tracer: Tracer, client: HTTPClient, counters: any MetricsFactory, logger: Logger
    ) {
        (self.exporter, self.tracer, shared, self.counters, self.logger) = (exporter, tracer, client, counters, logger)
    }

    /// Exports as this config says, or nothing without one.
    ///
    /// - Parameter metrics: returns all metrics.
    func follow(
        _ configuration: TelemetryConfiguration?, metrics: @escaping @Sendable () async -> [MetricFamily]
    ) {
        let client = configuration?.client(beside: shared, logger: logger) ?? shared
        tracer.rules = configuration?.rules
        exporter.send(
            to: configuration.map {
                OTLPExporter.Destination(
                    $0.endpoint(client), counters: counters, logs: $0.exportsLogs,
                    metrics: $0.exportsMetrics ? metrics : nil)
            })
        let replaced = own.withLock { own in
            defer { own = client === shared ? nil : client }
            return own
        }
        if let replaced { Task { await replaced.shutdown() } }
    }

    func run() async throws {
        exporter.run()
        try? await gracefulShutdown()
        tracer.rules = nil
        await exporter.close(within: Self.closing)
        await own.withLock { $0 }?.shutdown()
    }
}
