internal import Configuration
internal import FileSystem

/// What commands take from the world around them: the environment variables, and the two output streams.
public struct CommandEnvironment: Sendable {
    /// The environment variables.
    public var variables: [String: String]
    /// Takes what a command was asked for; throws where it cannot be written, for then the command has failed.
    public var output: @Sendable ([UInt8]) throws -> Void
    /// Takes one line about how it went.
    public var note: @Sendable (String) -> Void

    /// The process's own.
    public init(variables: [String: String]) {
        self.variables = variables
        output = { bytes in try StandardStreams.output(bytes) }
        note = { line in try? StandardStreams.error(Array("\(line)\n".utf8)) }
    }

    /// Reads and checks a config file, and notes its warnings.
    ///
    /// - Throws: `CommandFailure` with a line for every problem.
    func load(_ path: String) throws -> LoadedConfiguration {
        do {
            let loaded = try LoadedConfiguration.load(path: path, environment: variables)
            for warning in loaded.warnings { note("\(warning)") }
            return loaded
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

extension CommandEnvironment {
    /// Reads the config file at `path` again at each SIGHUP, with the variables as they were at the start.
    func reloadSource(_ path: String, _ signals: SignalWatch) -> ReloadSource {
        ReloadSource(requests: signals.reloads) { [variables] () throws(ConfigurationError) in
            try LoadedConfiguration.load(path: path, environment: variables)
        }
    }
}

/// Ends a command with a status. All that there is to say has been said.
public struct CommandExit: Error, Sendable, Hashable {
    /// The status that the process exits with; not 0.
    public let status: Int32

    /// - Throws: itself, unless the status is 0.
    static func check(_ status: Int32) throws(CommandExit) {
        if status != 0 { throw CommandExit(status: status) }
    }
}

/// What a command says on standard error before it exits with 1.
public struct CommandFailure: Error, CustomStringConvertible {
    /// Whole lines, without the last line end.
    public let description: String

    /// A failure with these words.
    public init(_ description: String) {
        self.description = description
    }
}
