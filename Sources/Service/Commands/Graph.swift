internal import Configuration
package import GraphTools

/// `larder graph`: shows the graph that a config file wires, without making it.
public struct GraphCommand: Sendable {
    private let configPath: String
    private let format: GraphFormat
    private let environment: CommandEnvironment

    /// Shows the graph of the config file at this path.
    package init(configPath: String, format: GraphFormat, environment: CommandEnvironment) {
        self.configPath = configPath
        self.format = format
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when the config is bad.
    public func run() throws {
        let root = try environment.load(configPath).root.outline
        try environment.output(Array(format.render(root).utf8))
    }
}
