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
