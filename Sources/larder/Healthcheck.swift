internal import ArgumentParser
internal import Service

struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks the service on this machine how it is: exit 0 when well, 1 when not.")

    @OptionGroup var options: ConfigOption

    @Option(help: "The probe to ask.")
    var path = "/healthz"

    func run() async throws {
        try await reporting(options.environment) {
            try await HealthcheckCommand(configPath: options.path(), path: path, environment: options.environment).run()
        }
    }
}
