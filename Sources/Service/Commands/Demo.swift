public import Configuration
internal import FileSystem
internal import Logging
internal import PracticeUpstream
internal import ServiceLifecycle

/// `larder demo`: the practice upstream and the service in one process.
public struct DemoCommand: Sendable {
    private let configPath: String
    private let upstreamListen: NetworkAddress
    private let environment: CommandEnvironment

    /// Serves by the config file at `configPath`, with the practice upstream on `upstreamListen`, which is what
    /// `LARDER_UPSTREAM` then names.
    public init(configPath: String, upstreamListen: NetworkAddress, environment: CommandEnvironment) {
        self.configPath = configPath
        self.upstreamListen = upstreamListen
        self.environment = environment
    }

    /// Runs until SIGTERM or SIGINT.
    ///
    /// - Throws: `CommandFailure` when the config is bad or a port cannot be had, `CommandExit` when the end was not a
    ///   clean one.
    public func run() async throws {
        let signals = SignalWatch.begun()
        var environment = environment
        environment.variables["LARDER_UPSTREAM"] = address(port: upstreamListen.port)
        environment.variables["LARDER_UPSTREAM_SCHEME"] = "http"
        var configuration = try environment.load(configPath)
        let runtime = try Runtime(configuration.service)
        defer { runtime.flushLog() }
        runtime.takeMetricsOfLibraries()
        let upstream: PracticeUpstream
        do {
            upstream = try await PracticeUpstream(
                catalogue: .madeUp(), logger: runtime.logger
            ) { runtime.server(upstreamListen, handlerOnLoop: $0) }
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        if upstream.port != upstreamListen.port {
            environment.variables["LARDER_UPSTREAM"] = address(port: upstream.port)
            configuration = try environment.load(configPath)
        }
        let source = environment.reloadSource(configPath, signals)
        let application = try await Application.make(configuration, runtime: runtime, reloadingFrom: source)
        let port = application.port
        environment.note(
            """
            try:  curl -i localhost:\(port)/products
                  curl -X PUT 'localhost:\(upstream.port)/_fault?mode=down'   # the upstream goes away; ask again
                  curl -X PUT 'localhost:\(upstream.port)/_fault?mode=none'   # and comes back
            """)
        let status = try await application.run(heeding: signals)
        await upstream.stop()
        await runtime.shutdown()
        try CommandExit.check(status)
    }

    /// Where the practice upstream is asked, on this machine also where it listens on all addresses.
    private func address(port: Int) -> String {
        let loopback = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        return "\(NetworkAddress(host: loopback[upstreamListen.host] ?? upstreamListen.host, port: port))"
    }
}

/// `larder upstream`: a practice upstream whose faults are switched while it runs.
public struct UpstreamCommand: Sendable {
    private let listen: NetworkAddress
    private let cataloguePath: String?
    private let environment: CommandEnvironment

    /// Serves the catalogue at `cataloguePath`, or a made-up one, on `listen`.
    public init(listen: NetworkAddress, cataloguePath: String?, environment: CommandEnvironment) {
        self.listen = listen
        self.cataloguePath = cataloguePath
        self.environment = environment
    }

    /// Runs until SIGTERM, SIGINT or SIGHUP, in whichever moment of the start that comes; as process 1 of a container
    /// too.
    ///
    /// - Throws: `CommandFailure` when the catalogue cannot be read or the port cannot be had.
    public func run() async throws {
        let signals = SignalWatch.begun()
        let runtime = try Runtime(threads: 1, log: ServiceLog(level: .info))
        defer { runtime.flushLog() }
        do {
            let catalogue = try PracticeCatalogue.load(cataloguePath)
            let upstream = try await PracticeUpstream(
                catalogue: catalogue, logger: runtime.logger
            ) { runtime.server(listen, handlerOnLoop: $0) }
            let group = ServiceGroup(services: [upstream], logger: runtime.logger)
            // There is nothing to reload.
            let stopping = [signals.stops, signals.reloads].map { wishes in
                Task { for await _ in wishes { await group.triggerGracefulShutdown() } }
            }
            defer { for wish in stopping { wish.cancel() } }
            try await group.run()
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        await runtime.shutdown()
    }
}
