internal import ArgumentParser
internal import Configuration
internal import EventLoop
internal import FileSystem
internal import HTTPServer
internal import Service

struct Serve: ServingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the service until SIGTERM or SIGINT; SIGHUP reloads the config file.")

    @OptionGroup var options: ConfigOption

    func run(in environment: CommandEnvironment) async throws {
        let signals = SignalWatch.begun()
        let path = options.path(in: environment)
        let configuration = try environment.load(path, notesWarnings: false)
        let runtime = try Runtime(
            threads: configuration.service.http.threads, logLevel: configuration.service.logLevel,
            format: configuration.service.logFormat)
        defer { runtime.flushLog() }
        runtime.exposeLibraryMetrics()
        let application = try await Application.make(
            configuration, runtime: runtime, reloadingFrom: environment.reloadSource(path, signals),
            manager: ServiceManager(environment: environment.variables),
            sockets: InheritedSockets(environment: environment.variables))
        let status = try await application.run(heeding: signals)
        await runtime.shutdown()
        guard status == 0 else { throw ExitCode(status) }
    }
}

extension CommandEnvironment {
    /// Reads the config file at `path` again at each SIGHUP, with the environment of the start.
    func reloadSource(_ path: String, _ signals: SignalWatch) -> ReloadSource {
        ReloadSource(requests: signals.reloads, request: signals.requestReload) {
            [variables, builtInConfig] () throws(ConfigurationError) in
            try LoadedConfiguration.load(path: path, environment: variables, orElse: builtInConfig)
        }
    }
}

extension Application {
    /// Checks libevent and the limit of open files, and makes an application with bound ports.
    ///
    /// - Throws: `CommandFailure`.
    static func make(
        _ configuration: LoadedConfiguration, runtime: Runtime, reloadingFrom source: ReloadSource,
        manager: ServiceManager? = nil, sockets: InheritedSockets = InheritedSockets(environment: [:])
    ) async throws -> Application {
        do {
            guard LibeventCheck.isSupported else {
                throw StartError.libevent(found: HTTPServer.libeventVersion, oldest: LibeventCheck.oldestVersion)
            }
            configuration.service.http.limits.check(openFiles: Files.mostOpen, runtime.logger)
            return try await Application(
                configuration, runtime: runtime, reloadingFrom: source, manager: manager, sockets: sockets)
        } catch {
            throw CommandFailure("larder: \(error)")
        }
    }
}
