import ArgumentParser
import Service

struct Demo: SignalHeeding {
    static let configuration = CommandConfiguration(
        abstract: "The practice upstream on port 8081 and the service on port 8080, together.")

    @OptionGroup var options: ConfigOption

    @Option(help: "Where the practice upstream listens; LARDER_UPSTREAM names it to the config.")
    var upstream = ListenAddress.practice

    func run() async throws {
        try await reporting(options.environment) {
            try await DemoCommand(
                configPath: options.path(default: "config/demo.yaml"), upstreamListen: upstream.address,
                environment: options.environment
            ).run()
        }
    }
}
