internal import EventLoop
internal import FileSystem
internal import HTTPServer

/// `larder serve`: runs the service until it is told to stop. SIGHUP has it read its config again.
public struct ServeCommand: Sendable {
    private let configPath: String
    private let environment: CommandEnvironment

    /// Serves by the config file at this path.
    public init(configPath: String, environment: CommandEnvironment) {
        self.configPath = configPath
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when the config is bad or a port cannot be had, `CommandExit` when the end was not a
    ///   clean one.
    public func run() async throws {
        let signals = SignalWatch.begun()
        let source = environment.reloadSource(configPath, signals)
        let configuration = try environment.load(configPath)
        let runtime = try Runtime(configuration.service)
        defer { runtime.flushLog() }
        runtime.takeMetricsOfLibraries()
        let application = try await Application.make(configuration, runtime: runtime, reloadingFrom: source)
        let status = try await application.run(heeding: signals)
        await runtime.shutdown()
        try CommandExit.check(status)
    }
}

extension Application {
    /// Makes an application, and reports a failure to start as a `CommandFailure`.
    static func make(
        _ configuration: LoadedConfiguration, runtime: Runtime, reloadingFrom source: ReloadSource
    ) async throws -> Application {
        do {
            guard LibeventCheck.isSupported else {
                throw StartError.libevent(found: HTTPServer.libeventVersion, oldest: LibeventCheck.oldestVersion)
            }
            configuration.service.http.limits.check(openFiles: Files.mostOpen, runtime.logger)
            return try await Application(configuration, runtime: runtime, reloadingFrom: source)
        } catch {
            throw CommandFailure("larder: \(error)")
        }
    }
}
