internal import API
internal import ArgumentParser
internal import Service

/// The program: picks a command, which does the rest.
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

    /// Signals are held from the first moment on; the commands that do not serve get what has come by then.
    static func main() async {
        ProcessStart.prepare()
        do {
            var command = try await asyncParseAsRoot()
            if !(command is any SignalHeeding) { SignalWatch.release() }
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

/// A command that watches for signals by itself, from the first moment of the process to its end.
protocol SignalHeeding: AsyncParsableCommand {}
