internal import Analytics
package import Concurrency
package import Configuration
internal import CoreMetrics
internal import EventLoop
internal import FileSystem
package import HTTPServer
internal import Health
package import Logging
internal import Networking
internal import OperatorsAPI
internal import Prometheus
internal import Providers
internal import Serving
internal import Telemetry
internal import Tracing
internal import Webhooks
internal import Wiring

/// The resources of graphs and servers: event loops, the HTTP client on them, metrics, the log.
package final class Runtime: Sendable {
    let loops: EventLoopGroup
    let client: HTTPClient
    let metrics: MetricsRegistry
    let slowReaders = SlowReaders()
    /// Signals the catalogues that come into force, in any edition.
    let signal = CatalogueSignal()
    /// The parts of the process besides the graph that report troubles.
    let troubles = TroubleReporters()
    let indexDoubts: IndexDoubts
    /// Exports the telemetry of the process.
    let telemetry: TelemetryExport
    let tracer: Tracer
    /// The name of the machine.
    let hostName: String
    /// The name of the process in its fleets: the name of the machine, and a random part.
    private let member: String
    /// The service's log.
    package let logger: Logger
    /// The clock for ages.
    package let wallClock: WallClock
    /// The clock for the waits of webhooks.
    let clock: any Clock<Duration>
    /// The level of the log, which a reload may change; nil for a log that the caller passed.
    var logLevel: AdjustableLogLevel? { log?.level }
    private let log: ServiceLog?

    /// Starts the loops.
    ///
    /// - Parameter threads: the number of loops; `nil` for one per usable core.
    /// - Throws: `EventLoopError` if the system refuses one.
    package convenience init(
        threads: Int?, logger: Logger, wallClock: WallClock = .system, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        try self.init(threads: threads, logger: logger, log: nil, wallClock: wallClock, clock: clock)
    }

    private init(
        threads: Int?, logger: Logger, log: ServiceLog?, wallClock: WallClock = .system,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        let host =
            (try? Files.read("/proc/sys/kernel/hostname")).map { String(decoding: $0, as: UTF8.self) } ?? "larder"
        let name = host.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        hostName = String(name)
        member = "\(name)-\(String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16))"
        let exporter = OTLPExporter(
            OTLPResource(version: LarderVersion.current, instance: member), logger: logger, wallClock: wallClock)
        let exported = exporter.exporting(logger)
        if let log { LibeventLog.redirect(to: exported, log) }
        loops = try EventLoopGroup(count: threads ?? UsableCores.count())
        client = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: LarderVersion.current))
        metrics = MetricsRegistry(
            known: MetricDescription.known, collectors: [BuildCollector(), ProcessCollector()], logger: exported)
        self.logger = exported
        self.log = log
        self.wallClock = wallClock
        self.clock = clock
        indexDoubts = IndexDoubts(wallClock: wallClock, logger: exported)
        troubles.add(indexDoubts)
        troubles.add(exporter)
        tracer = Tracer(to: exporter, wallClock: wallClock)
        telemetry = TelemetryExport(exporter, tracer, client: client, counters: metrics, logger: logger)
        log?.report(to: LogLossMeter(metrics))
    }

    /// Starts the loops for a process that logs to standard output, libevent's messages included.
    package convenience init(threads: Int?, logLevel: Logger.Level, format: LogFormat = .auto) throws {
        let log = ServiceLog(level: logLevel, format: format)
        try self.init(threads: threads, logger: log.logger, log: log)
    }

    /// Waits until the log is written, for at most a second, since its reader may be gone. To be called before the
    /// process ends.
    package func flushLog() {
        log?.flush()
    }

    /// Exposes the metrics of libraries as well. To be called once in a process.
    package func exposeLibraryMetrics() {
        MetricsSystem.bootstrap(metrics)
    }

    /// The resources of components.
    package var resources: ComponentResources {
        var resources = ComponentResources()
        resources.set(client)
        resources.set(logger)
        resources.set(wallClock)
        resources.set(signal)
        resources.set(metrics, as: (any MetricsFactory).self)
        resources.set(AnalyticsEnvironment(now: wallClock.now))
        resources.set(MonitorEnvironment(wallClock: wallClock, logger: logger))
        resources.set(troubles)
        return resources
    }

    /// The parts that webhooks use.
    var hookEnvironment: HookEnvironment {
        HookEnvironment(resources: resources, metrics: metrics, logger: logger, wallClock: wallClock, clock: clock)
    }

    /// The assembly for the graph of a config, which replaces that of another assembly.
    func assembly(
        for configuration: LoadedConfiguration, replacing previous: Assembly? = nil,
        _ observation: GraphObservation? = nil
    ) -> Assembly {
        var resources = resources
        resources.set(GraphUse())
        resources.set(FleetEnvironment(loop: loops.loops[0], member: member))
        resources.set(
            GraphObservation(
                root: configuration.root.outline.id, wallClock: wallClock, replacing: observation, tracer: tracer))
        return Assembly(resources: resources, replacing: previous)
    }

    /// A server on every loop, for one address; not started.
    package func server(
        _ address: NetworkAddress, _ options: HTTPServerOptions = HTTPServerOptions(),
        certificate: TLSCertificate? = nil, handlerOnLoop handler: (Int) -> any HTTPPortHandler
    ) -> HTTPServer {
        let address = HTTPAddress(host: address.host, port: UInt16(address.port))
        return server([address], options, certificate: certificate, handlerOnLoop: handler)
    }

    /// A server on every loop; not started.
    ///
    /// - Parameters:
    ///   - certificate: nil for plain HTTP.
    ///   - handler: makes the handler of the loop with an index.
    package func server(
        _ addresses: [HTTPAddress], _ options: HTTPServerOptions = HTTPServerOptions(),
        certificate: TLSCertificate? = nil, handlerOnLoop handler: (Int) -> any HTTPPortHandler
    ) -> HTTPServer {
        HTTPServer(
            loops: loops.loops, addresses: addresses, options: options,
            certificate: certificate, handlers: loops.loops.indices.map(handler), onError: reportError)
    }

    /// Exports telemetry as the config of this edition says, from now on.
    func exportTelemetry(of edition: Edition) {
        telemetry.follow(edition.configuration.service.telemetry) { [metrics, collector = edition.collector] in
            await metrics.families(with: [collector])
        }
    }

    /// Stops client and loops. The servers have to be stopped before.
    package func shutdown() async {
        await client.shutdown()
        await loops.shutdown()
    }

    private func reportError(_ error: any Error, _ request: HTTPRequest) {
        let metadata: Logger.Metadata = ["path": "\(request.rawPath)", "error": "\(error)"]
        logger.error(
            "a request failed unexpectedly", metadata: metadata.merging(request.cause.metadata) { own, _ in own })
    }
}
