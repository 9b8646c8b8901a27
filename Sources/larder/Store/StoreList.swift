internal import ArgumentParser
internal import Service

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

struct StoreVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks every generation: exit 1 when one is damaged or cannot be read.",
        discussion: """
            A damaged file is left where it is: the service moves it aside when it meets it. What a newer version of \
            Larder wrote is told, and is no damage.
            """)

    @OptionGroup var options: ConfigOption
    @OptionGroup var selection: StoreOption

    @Option(help: "text or json.")
    var format = StoreFormat.text

    func run() async throws {
        try await reporting(options.environment) {
            try StoreVerifyCommand(
                configPath: options.path(), store: selection.store, format: format, environment: options.environment
            ).run()
        }
    }
}
