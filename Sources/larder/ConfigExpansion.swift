internal import ArgumentParser
internal import Configuration
internal import GraphTools
internal import Service
internal import Wiring

struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints config files in another form.", subcommands: [ConfigExpand.self])
}

struct ConfigExpand: Command {
    static let configuration = CommandConfiguration(
        commandName: "expand", abstract: "Prints a config with the whole graph in place of a shop, to go on from.",
        discussion: """
            The same graph comes of it. Variables stay as they are written; comments are left out. A config without a shop is \
            printed as it stands.
            """)

    @OptionGroup var options: ConfigOption

    func run(in environment: CommandEnvironment) throws {
        let path = options.path(in: environment)
        _ = try environment.load(path)
        do {
            let document = try ConfigDocument.read(
                path: path, environment: environment.variables, orElse: environment.builtInConfig)
            let expansion = ShopGraph.expansion(of: document)
            let secrets = WrittenSecrets.positions(
                in: expansion?.document ?? document, registry: .everyFamily, sections: ServiceConfiguration.fields)
            let problems = secrets.map { position in
                Diagnostic(
                    .error, at: position,
                    "a secret is written here, and none is printed; take it from the environment by \"${NAME}\" or from a file"
                )
            }
            guard problems.isEmpty else { throw ConfigurationError(problems) }
            guard let expansion else { return try environment.print(document.text) }
            let head = ["Expanded by larder config expand from \(ConfigDocument.name(of: path))."] + expansion.notes
            try environment.print(head.map { "# \($0)\n" }.joined() + expansion.document.yaml)
        } catch let error as ConfigurationError {
            throw CommandFailure("\(error)")
        }
    }
}
