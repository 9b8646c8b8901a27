import ArgumentParser
import Configuration
import JSON
import Service

struct Components: Command {
    static let configuration = CommandConfiguration(
        abstract: "Lists the keys and component types of config files, or describes one of them.")

    @Argument(help: "The component type or top-level key to describe.")
    var type: String?

    func run(in environment: CommandEnvironment) throws {
        let registry = LoadedConfiguration.registry
        let reference = ComponentReference(registry: registry, sections: ServiceConfiguration.fields)
        guard let type else { return try environment.print(reference.list) }
        guard let description = reference.description(of: type) else {
            let hint = registry.type(closestTo: type).map { "; did you mean \"\($0)\"?" }
            throw CommandFailure(
                "larder: no component has the type \"\(type)\"\(hint ?? "; larder components lists them all")")
        }
        try environment.print(description)
    }
}

struct Schema: Command {
    static let configuration = CommandConfiguration(
        abstract: "Prints the JSON Schema of config files, by which editors complete and check YAML.")

    func run(in environment: CommandEnvironment) throws {
        let schema = ConfigSchema(registry: LoadedConfiguration.registry, sections: ServiceConfiguration.fields)
        try environment.output(JSONValue.object(schema.document).encoded() + [UInt8(ascii: "\n")])
    }
}
