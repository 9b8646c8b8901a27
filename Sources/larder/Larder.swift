internal import API
internal import ArgumentParser
internal import EventLoop
internal import Service

/// The program, which runs one of its commands.
@main
struct Larder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "larder",
        abstract: "Serves a product catalogue, and keeps serving it when the catalogue's source is offline.",
        version: LarderVersion.current,
        subcommands: [
            Serve.self, Check.self, Graph.self, Components.self, Schema.self, Fetch.self, Store.self,
            Healthcheck.self, Upstream.self, Demo.self,
        ],
        defaultSubcommand: Serve.self)

    /// Holds signals from the first moment on, and delivers them at once for commands that do not serve.
    static func main() async {
        ProcessStart.prepare()
        do {
            var command = try await asyncParseAsRoot()
            if !(command is any ServingCommand) { HeldSignals.release() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}

/// A command that watches for signals itself, from the first moment of the process to its end.
protocol ServingCommand: Command {}
