/// `larder check`: reads a config file as the service would, and says what is wrong with it.
public struct CheckCommand: Sendable {
    private let configPath: String
    private let isStrict: Bool
    private let environment: CommandEnvironment

    /// Checks the config file at this path.
    ///
    /// - Parameter isStrict: whether warnings fail the check.
    public init(configPath: String, isStrict: Bool = false, environment: CommandEnvironment) {
        self.configPath = configPath
        self.isStrict = isStrict
        self.environment = environment
    }

    /// - Throws: `CommandFailure` with a line for every problem; of warnings, which are noted anyway, with their number.
    public func run() throws {
        let warnings = try environment.load(configPath).warnings.count
        guard warnings == 0 || !isStrict else {
            throw CommandFailure("\(configPath): \(warnings) \(warnings == 1 ? "warning" : "warnings")")
        }
        try environment.output(Array("\(configPath): ok\n".utf8))
    }
}
