internal import ArgumentParser
internal import Service

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Says what is wrong with a config file.")

    @OptionGroup var options: ConfigOption

    @Flag(help: "Warnings fail the check as well.")
    var strict = false

    func run() async throws {
        try await reporting(options.environment) {
            try CheckCommand(configPath: options.path(), isStrict: strict, environment: options.environment).run()
        }
    }
}
