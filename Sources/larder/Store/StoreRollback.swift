internal import ArgumentParser
internal import Service

struct StoreRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Makes the products of an older generation those of a new, newest one.",
        discussion: "Nothing is removed.\n\n\(StoreRollbackCommand.consequence)")

    @OptionGroup var options: ConfigOption
    @OptionGroup var selection: StoreOption

    @Argument(help: "The generation's number; without it the newest usable one from before the products in use came.")
    var generation: Int?

    func run() async throws {
        try await reporting(options.environment) {
            try StoreRollbackCommand(
                configPath: options.path(), store: selection.store, generation: generation,
                environment: options.environment
            ).run()
        }
    }
}

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
