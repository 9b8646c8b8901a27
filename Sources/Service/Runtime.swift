internal import API
internal import Analytics
public import Concurrency
public import Configuration
internal import CoreMetrics
internal import EventLoop
internal import FileSystem
package import HTTPServer
public import Logging
internal import Networking
internal import Products
internal import Prometheus
internal import Providers

/// What a graph and its servers live on: the event loops, the HTTP client on them, the log.
public final class Runtime: Sendable {
    let loops: EventLoopGroup
    let client: HTTPClient
    let metrics: MetricsRegistry
    let slowReaders = SlowReaders()
    /// The service's log.
    public let logger: Logger
    /// What ages are measured by.
    public let wallClock: WallClock
    /// What a reload can change about the log; nil for a log of somebody else's.
    var logLevel: AdjustableLogLevel? { log?.level }
    private let log: ServiceLog?

    /// Starts the loops.
    ///
    /// - Parameter threads: how many; `nil` for one per usable core.
    /// - Throws: `EventLoopError` when the system refuses one.
    public convenience init(threads: Int?, logger: Logger, wallClock: WallClock = .system) throws {
        try self.init(threads: threads, logger: logger, log: nil, wallClock: wallClock)
    }

    private init(threads: Int?, logger: Logger, log: ServiceLog?, wallClock: WallClock = .system) throws {
        loops = try EventLoopGroup(count: threads ?? UsableCores.count())
        client = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: LarderVersion.current))
        metrics = MetricsRegistry(
            known: MetricDescription.known, collectors: [BuildCollector(), ProcessCollector()], logger: logger)
        self.logger = logger
        self.log = log
        self.wallClock = wallClock
        log?.report(to: LogLossMeter(metrics))
    }

    /// Starts the loops that a config file asks for, with a log like its.
    package convenience init(_ configuration: ServiceConfiguration) throws {
        try self.init(threads: configuration.http.threads, logLevel: configuration.logLevel)
    }

    /// Starts the loops for a process that logs to standard output, libevent's messages included.
    package convenience init(threads: Int?, logLevel: Logger.Level) throws {
        let log = ServiceLog(level: logLevel)
        LibeventLog.redirect(to: log)
        try self.init(threads: threads, logger: log.logger, log: log)
    }

    /// Returns when what was logged is written, at the latest after a second: whoever reads the log may be gone. To be
    /// called before the process ends, whatever ends it.
    public func flushLog() {
        log?.flush()
    }

    /// Has what libraries record exposed as well. For a process that has one runtime: it can be done once.
    package func takeMetricsOfLibraries() {
        MetricsSystem.bootstrap(metrics)
    }

    /// What components may ask for when they are made.
    public var resources: ComponentResources {
        var resources = ComponentResources()
        resources.set(client)
        resources.set(logger)
        resources.set(wallClock)
        resources.set(metrics, as: (any MetricsFactory).self)
        resources.set(AnalyticsEnvironment(now: wallClock.now))
        resources.set(MonitorEnvironment(onChange: reportReachability))
        return resources
    }

    /// Where the graph of a config is made and watched, in place of the graph of another assembly.
    func assembly(
        for configuration: LoadedConfiguration, replacing previous: Assembly? = nil,
        _ observation: GraphObservation? = nil
    ) -> Assembly {
        var resources = resources
        resources.set(GraphLease())
        resources.set(
            GraphObservation(
                root: configuration.root.outline.id, wallClock: wallClock, replacing: observation))
        return Assembly(resources: resources, replacing: previous)
    }

    /// A server on every loop; not started.
    ///
    /// - Parameters:
    ///   - certificate: what connections are encrypted by; nil for plain HTTP.
    ///   - handler: makes what answers on the loop with this index.
    package func server(
        _ address: NetworkAddress, _ options: HTTPServerOptions = HTTPServerOptions(),
        certificate: TLSCertificate? = nil, handlerOnLoop handler: (Int) -> any HTTPHandler
    ) -> HTTPServer {
        HTTPServer(
            loops: loops.loops, address: HTTPAddress(host: address.host, port: UInt16(address.port)), options: options,
            certificate: certificate, handlers: loops.loops.indices.map(handler), onError: reportError)
    }

    /// Stops client and loops. The servers have to be stopped before.
    public func shutdown() async {
        await client.shutdown()
        await loops.shutdown()
    }

    /// A change of reachability alone changes no answer, so it is not news by itself: `memory` reports what follows.
    private func reportReachability(_ monitor: String, _ isReachable: Bool) {
        logger.debug(
            "reachability changed", metadata: ["monitor": "\(monitor)", "reachable": "\(isReachable)"])
    }

    private func reportError(_ error: any Error, _ request: HTTPRequest) {
        let metadata: Logger.Metadata = ["path": "\(request.rawPath)", "error": "\(error)"]
        logger.error(
            "a request failed unexpectedly", metadata: metadata.merging(request.cause.metadata) { own, _ in own })
    }
}
