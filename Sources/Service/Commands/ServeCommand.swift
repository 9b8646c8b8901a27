/// `larder serve`: runs the service until it is told to stop. SIGHUP has it read its config again.
public struct ServeCommand: Sendable {
    private let configPath: String
    private let environment: CommandEnvironment

    /// Serves by the config file at this path.
    public init(configPath: String, environment: CommandEnvironment) {
        self.configPath = configPath
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when the config is bad or a port cannot be had.
    public func run() async throws {
        let source = environment.reloadSource(configPath, await HangUps())
        let configuration = try environment.load(configPath)
        let runtime = try Runtime(configuration.service)
        try await Application.make(configuration, runtime: runtime, reloadingFrom: source).run()
        await runtime.shutdown()
    }
}
