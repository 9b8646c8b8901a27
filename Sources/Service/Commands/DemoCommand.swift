public import Configuration

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
                catalogue: try PracticeCatalogue.load(nil), listen: upstreamListen, runtime: runtime)
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
