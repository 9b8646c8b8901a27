/// `larder check`: reads a config file as the service would, and says what is wrong with it.
public struct CheckCommand: Sendable {
    private let configPath: String
    private let environment: CommandEnvironment

    /// Checks the config file at this path.
    public init(configPath: String, environment: CommandEnvironment) {
        self.configPath = configPath
        self.environment = environment
    }

    /// - Throws: `CommandFailure` with a line for every problem.
    public func run() throws {
        _ = try environment.load(configPath)
        environment.output(Array("\(configPath): ok\n".utf8))
    }
}
