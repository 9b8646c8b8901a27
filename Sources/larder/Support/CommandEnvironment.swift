internal import ArgumentParser
import Concurrency
internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import Products
internal import Service

/// A command of the program.
protocol Command: AsyncParsableCommand {
    /// Runs the command.
    ///
    /// - Throws: `ExitCode` to exit silently, `ValidationError` for wrong arguments, anything else for a failure.
    func run(in environment: CommandEnvironment) async throws
}

/// The parts of the process that commands use, so that tests can replace them.
struct CommandEnvironment: Sendable {
    /// The environment variables.
    var variables: [String: String]
    /// Writes the command's result to standard output; throws if that fails.
    var output: @Sendable ([UInt8]) throws -> Void = { bytes in try StandardStreams.output(bytes) }
    /// Writes a line about the progress of the command to standard error.
    var report: @Sendable (String) -> Void = { line in try? StandardStreams.error(Array("\(line)\n".utf8)) }
    /// Asks the person at the terminal, and returns the answer; nil where standard input is no terminal, or ends.
    var ask: @Sendable (String) -> String? = { question in
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        try? StandardStreams.error(Array(question.utf8))
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }
    /// The text to use if the config file does not exist; nil to make that an error.
    var builtInConfig: String?
    /// The clock for ages.
    var wallClock = WallClock.system

    /// Writes a text to standard output.
    func print(_ text: String) throws {
        try output(Array(text.utf8))
    }

    /// Reads and checks a config file.
    ///
    /// - Parameter notesWarnings: whether to report its warnings; otherwise the service logs them.
    /// - Throws: `CommandFailure` with a line for every problem.
    func load(
        _ path: String, serving provider: String? = nil, notesWarnings: Bool = true
    ) throws -> LoadedConfiguration {
        do {
            let loaded = try LoadedConfiguration.load(
                path: path, environment: variables, serving: provider, orElse: builtInConfig)
            if notesWarnings { for warning in loaded.warnings { report("\(warning)") } }
            return loaded
        } catch {
            throw CommandFailure("\(error)\(advice(for: path))")
        }
    }

    /// The advice if no config is named and there is none in the usual place; empty otherwise.
    func advice(for path: String) -> String {
        guard path == ConfigOption.usualPath, variables["LARDER_CONFIG"] == nil, !Files.exists(path) else { return "" }
        return "\nlarder: name a config with --config or LARDER_CONFIG, or see one at work with: larder demo"
    }
}

/// A failure that a command prints to standard error before it exits with 1.
struct CommandFailure: Error, CustomStringConvertible {
    /// Whole lines, without the last line end.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The option of the commands that read a config file.
struct ConfigOption: ParsableArguments {
    static let usualPath = "config/larder.yaml"

    @Option(
        name: .long,
        help: "Default: LARDER_CONFIG, or config/larder.yaml (demo: config/demo.yaml); - is standard input.")
    var config: String?

    func path(in environment: CommandEnvironment, default path: String = usualPath) -> String {
        config ?? environment.variables["LARDER_CONFIG"] ?? path
    }

    /// Reads and checks the config file, and reports its warnings.
    ///
    /// - Throws: `CommandFailure` with a line for every problem.
    func load(in environment: CommandEnvironment) throws -> LoadedConfiguration {
        try environment.load(path(in: environment))
    }
}

extension NetworkAddress {
    /// The usual address of the practice upstream.
    static let practice = NetworkAddress(host: "127.0.0.1", port: 8081)

    /// Parses an address on the command line; throws `ValidationError` with its fault.
    @Sendable static func reading(_ argument: String) throws -> NetworkAddress {
        guard let address = NetworkAddress(argument) else { throw ValidationError(complaint(about: argument)) }
        return address
    }
}
