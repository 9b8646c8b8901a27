internal import HTTPServer
internal import Logging
internal import Products
internal import ServiceLifecycle
internal import UnixSignals

/// The running service: a graph, its two ports, and the order in which all that starts and stops.
public struct Application: Sendable {
    /// Where products are served, once the ports are bound.
    public let port: Int
    /// Where operators look.
    public let adminPort: Int
    private let runtime: Runtime
    private let graph: ServingGraph
    private let lifecycle: HTTPLifecycle
    private let keepWarm: KeepWarm
    private let drain: DrainConfiguration

    /// Makes the graph and binds both ports. The upstream is not asked yet.
    ///
    /// - Throws: `HTTPServerError` when a port cannot be had, `EventLoopError` when loops cannot.
    public init(_ configuration: LoadedConfiguration, runtime: Runtime) async throws {
        self.runtime = runtime
        let service = configuration.service
        graph = try ServingGraph(configuration, resources: runtime.resources)
        let readiness = ReadinessTracker(upstream: graph.provider, wallClock: runtime.wallClock)
        let routes = Routes(
            configuration: service.http,
            useCase: ProductsUseCase(provider: readiness, popularity: service.popularity),
            readiness: readiness, wallClock: runtime.wallClock)
        let options = HTTPServerOptions(service.http)
        let log = AccessLog(mode: service.http.accessLog, logger: runtime.logger)
        let products = runtime.server(service.http.listen, log.around(routes.publicRouter()), options)
        let admin = runtime.server(service.adminListen, routes.adminRouter(), options)
        try await products.start()
        do {
            try await admin.start()
        } catch {
            await products.stop(deadline: .zero)
            throw error
        }
        (port, adminPort) = (Int(products.port ?? 0), Int(admin.port ?? 0))
        drain = service.http.drain
        lifecycle = HTTPLifecycle(
            servers: [products, admin], readiness: readiness, drain: drain, logger: runtime.logger)
        keepWarm = KeepWarm(readiness: readiness)
    }

    /// Serves until SIGTERM or SIGINT, drains, closes, and returns.
    public func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .ignore) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: runtime.logger)
        configuration.maximumGracefulShutdownDuration = drain.deadline
        runtime.logger.notice(
            "serving",
            metadata: [
                "port": .stringConvertible(port), "admin_port": .stringConvertible(adminPort),
                "version": "\(LarderVersion.current)",
            ])
        try await ServiceGroup(configuration: configuration).run()
        runtime.logger.notice("stopped")
    }

    /// In the order of their start. They stop in reverse: the ports first, the sinks last, so that what the last
    /// requests log is still written.
    private var services: [any Service] {
        [
            GraphClosing(graph: graph),
            BackgroundJobs(jobs: graph.backgroundJobs, logger: runtime.logger),
            WarmKeeping(keepWarm: keepWarm),
            lifecycle,
        ]
    }
}
