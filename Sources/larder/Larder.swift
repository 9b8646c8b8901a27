internal import ArgumentParser
internal import EventLoop
internal import FoundationEssentials
internal import Glibc
internal import OperatorsAPI
internal import Service
internal import Text

/// The program, which runs one of its commands.
@main
struct Larder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "larder",
        abstract: "Serves a product catalogue, and keeps serving it when the catalogue's source is offline.",
        version: LarderVersion.current,
        subcommands: [
            Serve.self, Init.self, Check.self, Graph.self, Config.self, Components.self, Schema.self, Fetch.self,
            Store.self, Refresh.self, Pin.self, Unpin.self, History.self, Diff.self, Accept.self, Healthcheck.self,
            Upstream.self, Demo.self,
        ],
        defaultSubcommand: Serve.self)

    /// Holds signals from the start, and delivers them at once for commands that do not serve.
    static func main() async {
        ProcessStart.prepare()
        do {
            try checkCommand(CommandLine.arguments.dropFirst().first)
            var command = try await asyncParseAsRoot()
            if !(command is any ServingCommand) { HeldSignals.release() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            ProcessEnd.now(EXIT_SUCCESS)
        } catch let code as ExitCode {
            ProcessEnd.now(code.rawValue)
        } catch {
            exit(withError: error)
        }
    }

    /// Refuses a first word that is not a command; the default command would take it for an argument.
    ///
    /// - Throws: `ValidationError`.
    static func checkCommand(_ word: String?) throws {
        let names = configuration.subcommands.map { $0._commandName }
        guard let word, !word.hasPrefix("-"), word != "help", !names.contains(word) else { return }
        let hint = ClosestName.to(word, among: names).map { "; did you mean \"\($0)\"? The" } ?? "; the"
        throw ValidationError(
            "there is no command \"\(word)\"\(hint) commands are \(WordList.enumeration(names))")
    }
}

/// A command that watches for signals itself, from the start of the process to its end.
protocol ServingCommand: Command {}

extension Command {
    /// Runs the command in the process's environment. A failure is printed to standard error, and exits with 1.
    func run() async throws {
        let environment = CommandEnvironment(variables: ProcessInfo.processInfo.environment)
        do {
            try await run(in: environment)
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            // Rethrown, it would be printed with the usage of the whole program.
            environment.report("Error: \(error.message)\nUsage: \(Larder.usageString(for: Self.self))")
            throw ExitCode.validationFailure
        } catch {
            environment.report("\(error)")
            throw ExitCode.failure
        }
    }
}
