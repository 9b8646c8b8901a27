internal import JSON

/// `larder schema`: prints the JSON Schema of config files, for editors that complete and check YAML by one.
public struct SchemaCommand: Sendable {
    private let environment: CommandEnvironment

    /// Prints to the environment's output.
    public init(environment: CommandEnvironment) {
        self.environment = environment
    }

    /// Prints the schema.
    public func run() throws {
        let schema = ConfigSchema(
            registry: LoadedConfiguration.registry, sections: ServiceConfiguration.fields)
        try environment.output(JSONValue.object(schema.document).encoded() + [UInt8(ascii: "\n")])
    }
}
