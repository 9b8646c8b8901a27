internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Service

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

struct Upstream: SignalHeeding {
    static let configuration = CommandConfiguration(
        abstract: "A practice upstream whose faults are switched while it runs: PUT /_fault?mode=down.")

    @Option(help: "Where to listen.")
    var listen = ListenAddress.practice

    @Option(help: "A JSON file with products; a made-up catalogue without it.")
    var catalogue: String?

    func run() async throws {
        let environment = CommandEnvironment(variables: ProcessInfo.processInfo.environment)
        try await reporting(environment) {
            try await UpstreamCommand(
                listen: listen.address, cataloguePath: catalogue, environment: environment
            ).run()
        }
    }
}
