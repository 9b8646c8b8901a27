public import ArgumentParser
internal import GraphTools
public import Service

struct Graph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Shows the graph that a config file wires.")

    @OptionGroup var options: ConfigOption

    @Option(help: "text, mermaid or dot.")
    var format = GraphFormat.text

    func run() async throws {
        try await reporting(options.environment) {
            try GraphCommand(configPath: options.path(), format: format, environment: options.environment).run()
        }
    }
}

extension GraphFormat: ExpressibleByArgument {}
