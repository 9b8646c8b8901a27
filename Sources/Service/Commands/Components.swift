internal import Configuration
internal import GraphTools
internal import JSON

/// `larder components`: lists what a config file can wire, or describes one type of it.
public struct ComponentsCommand: Sendable {
    private let type: String?
    private let environment: CommandEnvironment

    /// Describes the components of this type, or lists all when it is nil.
    public init(type: String?, environment: CommandEnvironment) {
        self.type = type
        self.environment = environment
    }

    /// - Throws: `CommandFailure` when no component has the type.
    public func run() throws {
        let reference = ComponentReference(registry: LoadedConfiguration.registry)
        guard let type else { return try environment.output(Array(reference.list.utf8)) }
        guard let description = reference.description(of: type) else {
            let hint = LoadedConfiguration.registry.type(closestTo: type).map { "; did you mean \"\($0)\"?" }
            throw CommandFailure(
                "larder: no component has the type \"\(type)\"\(hint ?? "; larder components lists them all")")
        }
        try environment.output(Array(description.utf8))
    }
}

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
