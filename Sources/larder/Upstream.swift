import ArgumentParser
import Configuration
import Service

struct Upstream: SignalHeeding {
    static let configuration = CommandConfiguration(
        abstract: "A practice upstream whose faults are switched while it runs: PUT /_fault?mode=down.")

    @OptionGroup var options: ConfigOption

    @Option(help: "Where to listen.")
    var listen = ListenAddress.practice

    @Option(help: "A JSON file with products; a made-up catalogue without it.")
    var catalogue: String?

    func run() async throws {
        try await reporting(options.environment) {
            try await UpstreamCommand(
                listen: listen.address, cataloguePath: catalogue, environment: options.environment
            ).run()
        }
    }
}
