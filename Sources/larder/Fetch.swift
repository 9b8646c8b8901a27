import ArgumentParser
import Service

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks the graph once; prints products, and on standard error what each node did.")

    @OptionGroup var options: ConfigOption

    func run() async throws {
        try await reporting(options.environment) {
            try await FetchCommand(configPath: options.path(), environment: options.environment).run()
        }
    }
}
