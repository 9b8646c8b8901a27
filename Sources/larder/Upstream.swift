import ArgumentParser
import Configuration
import Foundation
import Service

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
