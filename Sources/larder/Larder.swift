import ArgumentParser
import Service

/// The program: picks a command, which does the rest.
@main
struct Larder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "larder",
        abstract: "Serves a product catalogue, and keeps serving it when the catalogue's source is offline.",
        version: LarderVersion.current,
        subcommands: [
            Serve.self, Check.self, Graph.self, Components.self, Schema.self, Fetch.self, Healthcheck.self,
            Upstream.self, Demo.self,
        ],
        defaultSubcommand: Serve.self)
}
