import ArgumentParser
import Service

struct StoreList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the generations, newest first.",
        discussion: "Every file is read whole, and its checksums are compared. Nothing is changed.")

    @OptionGroup var options: ConfigOption
    @OptionGroup var selection: StoreOption

    @Option(help: "text or json.")
    var format = StoreFormat.text

    func run() async throws {
        try await reporting(options.environment) {
            try StoreListCommand(
                configPath: options.path(), store: selection.store, format: format, environment: options.environment
            ).run()
        }
    }
}
