internal import EventLoop
internal import FileSystem
internal import HTTPServer
public import Logging
internal import Networking
public import Configuration
public import Products
internal import Providers

/// What a graph and its servers live on: the event loops, the HTTP client on them, the log.
public final class Runtime: Sendable {
    let loops: EventLoopGroup
    let client: HTTPClient
    /// The service's log.
    public let logger: Logger
    /// What ages are measured by.
    public let wallClock: WallClock
    /// What a reload can change about the log; nil for a log of somebody else's.
    let logLevel: AdjustableLogLevel?

    /// Starts the loops.
    ///
    /// - Parameter threads: how many; `nil` for one per usable core.
    /// - Throws: `EventLoopError` when the system refuses one.
    public convenience init(threads: Int?, logger: Logger, wallClock: WallClock = .system) throws {
        try self.init(threads: threads, logger: logger, logLevel: nil, wallClock: wallClock)
    }

    init(threads: Int?, logger: Logger, logLevel: AdjustableLogLevel?, wallClock: WallClock = .system) throws {
        loops = try EventLoopGroup(count: threads ?? UsableCores.count())
        client = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: LarderVersion.current))
        self.logger = logger
        self.logLevel = logLevel
        self.wallClock = wallClock
    }

    /// The runtime that a config file asks for, with libevent's messages in the service's log.
    convenience init(_ configuration: ServiceConfiguration) throws {
        let logLevel = AdjustableLogLevel(configuration.logLevel)
        let logger = Logger.larder(level: logLevel)
        LibeventLog.redirect(to: logger)
        try self.init(threads: configuration.http.threads, logger: logger, logLevel: logLevel)
    }

    /// What components may ask for when they are made.
    public var resources: ComponentResources {
        var resources = ComponentResources()
        resources.set(client)
        resources.set(logger)
        resources.set(wallClock)
        resources.set(MonitorEnvironment(onChange: reportReachability))
        return resources
    }

    /// Where the graph of a config is made and watched, in place of the graph of another assembly.
    func assembly(
        for configuration: LoadedConfiguration, replacing previous: Assembly? = nil,
        _ observation: GraphObservation? = nil
    ) -> Assembly {
        var resources = resources
        resources.set(GraphTenancy())
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
    func server(
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
        logger.error(
            "a request failed unexpectedly", metadata: ["path": "\(request.rawPath)", "error": "\(error)"])
    }
}
