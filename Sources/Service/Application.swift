internal import Configuration
package import EventLoop
package import HTTPServer
internal import Health
internal import Logging
internal import OperatorsAPI
internal import Products
internal import Prometheus
internal import Providers
internal import ServiceLifecycle
internal import Serving

/// The running service: a graph, its two ports, and their order of start and stop.
package struct Application: Sendable {
    /// The bound port for products.
    package let port: Int
    /// The bound port for operators.
    package let adminPort: Int
    let parts: Reloader.Parts
    private let reloading: Reloading?
    private let lifecycle: HTTPLifecycle
    private let manager: ServiceManager?
    private var logger: Logger { parts.runtime.logger }

    /// Makes the graph and binds both ports. Sends no request to the upstream yet.
    ///
    /// - Parameters:
    ///   - source: the source of reloads; nil for a fixed config.
    ///   - manager: the service manager that started the process; nil without one.
    ///   - sockets: the listening sockets that it has handed over.
    /// - Throws: `StartError` if a port cannot be bound, or the error of a component that cannot be made.
    package init(
        _ configuration: LoadedConfiguration, runtime: Runtime, reloadingFrom source: ReloadSource? = nil,
        manager: ServiceManager? = nil, sockets: InheritedSockets = InheritedSockets(environment: [:])
    ) async throws {
        let service = configuration.service
        let log = ReloadLog(logger: runtime.logger, started: service)
        log.report(configuration.warnings)
        let assembly = runtime.assembly(for: configuration)
        let graph = try ServingGraph(configuration, in: assembly)
        let readiness = ReadinessTracker(wallClock: runtime.wallClock, logger: runtime.logger)
        let current = CurrentEdition(
            Edition(configuration, graph: graph, readiness: readiness, runtime: runtime),
            loops: runtime.loops.loops.count, signal: runtime.signal)
        readiness.follow(current.edition.number, front: graph.front)
        readiness.awaitListing()
        runtime.exportTelemetry(of: current.edition)
        let servers = try await Self.started(service, current, runtime, sockets)
        let parts = Reloader.Parts(
            current: current, jobs: BackgroundJobs(jobs: current.edition.backgroundJobs, logger: runtime.logger),
            retired: RetiredGraphs(), readiness: readiness, runtime: runtime, products: servers.products)
        (port, adminPort) = (Int(servers.products.port ?? 0), Int(servers.admin.port ?? 0))
        lifecycle = HTTPLifecycle(
            products: servers.products, admin: servers.admin, drain: service.http.drain, logger: runtime.logger)
        let reloader = Reloader(parts, assembly: assembly, log: log)
        reloading = source.map { Reloading(source: $0, reloader: reloader, manager: manager) }
        (self.parts, self.manager) = (parts, manager)
        runtime.troubles.add(certificate)
        runtime.troubles.add(EditionTroubles(current))
    }

    /// Serves until the first signal to stop, drains, closes, and returns; a second signal, or the deadline, ends the
    /// process at once. Without `signals` it serves until the task's graceful shutdown.
    ///
    /// - Returns: the exit status: 0, or 1 if connections were cut off.
    @discardableResult
    package func run(heeding signals: SignalWatch? = nil) async throws -> Int32 {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map { .init(service: $0, successTerminationBehavior: .ignore) }, logger: logger))
        signals?.update(signalContext)
        let stopping = signals.map { signals in
            Task { for await _ in signals.stops { await group.triggerGracefulShutdown() } }
        }
        defer { stopping?.cancel() }
        try await group.run()
        return lifecycle.cutOff == .none ? 0 : 1
    }

    /// The state of the service for the signal thread.
    private var signalContext: SignalWatch.Context {
        let runtime = parts.runtime
        return SignalWatch.Context(
            logger: runtime.logger, flushLog: runtime.flushLog, deadline: lifecycle.drain.deadline,
            openWork: lifecycle.openWork)
    }

    /// The services in the order of their start. They stop in reverse: readiness first, then reloads, then the ports,
    /// and the sinks and telemetry last, so that they still write the events and spans of the last requests.
    private var services: [any Service] {
        let always: [any Service] = [
            parts.runtime.telemetry,
            StopLog(logger: logger),
            GraphClosing(current: parts.current, retired: parts.retired),
            parts.jobs,
            RefusalLog(servers: lifecycle.servers, logger: logger),
            certificate,
            lifecycle,
            StartupLog(current: parts.current, logger: logger, metadata: facts),
        ]
        let reloads: [any Service] =
            reloading.map { [$0, ConfigWatch(current: parts.current, source: $0.source, logger: logger)] } ?? []
        let notices: [any Service] =
            manager.map { [ManagerNotices(manager: $0, loops: parts.runtime.loops, logger: logger)] } ?? []
        return always + reloads + notices + [DrainReadiness(readiness: parts.readiness)]
    }

    private var certificate: CertificateWatch {
        CertificateWatch(
            validUntil: { [weak products = parts.products] in products?.certificateValidUntil }, logger: logger,
            wallClock: parts.runtime.wallClock)
    }

    /// The metadata of the start's log line.
    private var facts: Logger.Metadata {
        let facts: Logger.Metadata = [
            "port": .stringConvertible(port), "admin_port": .stringConvertible(adminPort),
            "version": "\(LarderVersion.current)", "libevent": "\(HTTPServer.libeventVersion)",
        ]
        let tls = parts.current.edition.configuration.service.http.tls
        return facts.merging(tls?.metadata ?? [:]) { $1 }
    }

    /// Starts both servers, or none.
    private static func started(
        _ service: ServiceConfiguration, _ current: CurrentEdition, _ runtime: Runtime, _ sockets: InheritedSockets
    ) async throws(StartError) -> (products: HTTPServer, admin: HTTPServer) {
        let options = HTTPServerOptions(service.http).taking(service.hooks)
        let certificate = service.http.tls?.certificate
        var addresses: [HTTPAddress] = []
        for place in service.http.listen {
            let opened = place.addresses(sockets)
            if opened.isEmpty { throw .noSocket(place) }
            addresses += opened
        }
        let products = runtime.server(addresses, options, certificate: certificate) { loop in
            EditionHandler(current: current.copies[loop], choose: \.publicHandler)
        }
        let admin = runtime.server(service.adminListen, options.forOperators) { loop in
            EditionHandler(current: current.copies[loop], choose: \.adminHandler)
        }
        do { try await products.start() } catch { throw .port(key: "http.listen", error) }
        do {
            try await admin.start()
        } catch {
            await products.stop(deadline: .zero)
            throw .port(key: "admin.listen", error)
        }
        await runtime.slowReaders.cut { [weak products, logger = runtime.logger] body in
            let count = await products?.resetReaders(of: body) ?? 0
            guard count > 0 else { return }
            logger.debug(
                "slow readers of a replaced catalogue reset", metadata: ["clients": .stringConvertible(count)])
        } by: { [weak products] in
            await products?.resetSlowestReaders(freeing: $0) ?? 0
        }
        runtime.metrics.add(ServerCollector(products))
        return (products, admin)
    }
}

/// The reason why the service could not be started.
package enum StartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A port cannot be bound; with the config key of its address.
    case port(key: String, HTTPServerError)
    /// The service manager has handed over no such socket.
    case noSocket(ListenPlace)
    /// The loaded libevent is older than the oldest supported one.
    case libevent(found: String, oldest: String)

    /// One line for an operator.
    package var description: String {
        switch self {
        case .port(let key, let error): "\(key): \(error)"
        case .noSocket(let place): "http.listen: no socket was handed over for \(place)"
        case .libevent(let found, let oldest):
            "libevent \(found) is too old: the service requires \(oldest) or a newer one"
        }
    }
}
