internal import EventLoop
internal import FileSystem
internal import HTTPServer
public import Logging
internal import Networking
public import Configuration
public import Products

/// What a graph and its servers live on: the event loops, the HTTP client on them, the log.
public final class Runtime: Sendable {
    let loops: EventLoopGroup
    let client: HTTPClient
    /// The service's log.
    public let logger: Logger
    /// What ages are measured by.
    public let wallClock: WallClock

    /// Starts the loops.
    ///
    /// - Parameter threads: how many; `nil` for one per usable core.
    /// - Throws: `EventLoopError` when the system refuses one.
    public init(threads: Int?, logger: Logger, wallClock: WallClock = .system) throws {
        loops = try EventLoopGroup(count: threads ?? UsableCores.count())
        client = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: LarderVersion.current))
        self.logger = logger
        self.wallClock = wallClock
    }

    /// The runtime that a config file asks for, with libevent's messages in the service's log.
    convenience init(_ configuration: ServiceConfiguration) throws {
        let logger = Logger.larder(level: configuration.logLevel)
        LibeventLog.redirect(to: logger)
        try self.init(threads: configuration.http.threads, logger: logger)
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

    /// A server on every loop; not started.
    func server(
        _ address: NetworkAddress, _ handler: any HTTPHandler, _ options: HTTPServerOptions = HTTPServerOptions()
    ) -> HTTPServer {
        HTTPServer(
            loops: loops.loops, address: HTTPAddress(host: address.host, port: UInt16(address.port)), options: options,
            handler: handler, onError: reportError)
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
