import ArgumentParser
import Configuration
package import Service

struct Graph: Command {
    static let configuration = CommandConfiguration(abstract: "Shows the graph that a config file describes.")

    @OptionGroup var options: ConfigOption

    @Option(help: "text, mermaid or dot.")
    var format = GraphFormat.text

    func run(in environment: CommandEnvironment) throws {
        try environment.print(format.render(options.load(in: environment).root.outline))
    }
}

extension GraphFormat: ExpressibleByArgument {}
