import ArgumentParser
import Service

struct StoreShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the products of a generation as a JSON array.")

    @OptionGroup var options: ConfigOption
    @OptionGroup var selection: StoreOption

    @Argument(help: "The generation's number; the newest that can be used without it.")
    var generation: Int?

    func run() async throws {
        try await reporting(options.environment) {
            try StoreShowCommand(
                configPath: options.path(), store: selection.store, generation: generation,
                environment: options.environment
            ).run()
        }
    }
}
