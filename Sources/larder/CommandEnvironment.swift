internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Service

/// Runs a command; when it fails, says why in its own words on standard error and exits with 1.
func reporting(_ environment: CommandEnvironment, _ command: () async throws -> Void) async throws {
    do {
        try await command()
    } catch let exit as CommandExit {
        throw ExitCode(exit.status)
    } catch {
        environment.note("\(error)")
        throw ExitCode(1)
    }
}

/// The option of the commands that read a config file: which config file, and what the environment adds.
struct ConfigOption: ParsableArguments {
    @Option(name: .long, help: "Default: LARDER_CONFIG, or config/larder.yaml (demo: config/demo.yaml).")
    var config: String?

    var environment: CommandEnvironment {
        CommandEnvironment(variables: ProcessInfo.processInfo.environment)
    }

    func path(default path: String = "config/larder.yaml") -> String {
        config ?? environment.variables["LARDER_CONFIG"] ?? path
    }
}

/// A host and a port on the command line.
struct ListenAddress: ExpressibleByArgument {
    let address: NetworkAddress

    static let practice = ListenAddress(address: NetworkAddress(host: "127.0.0.1", port: 8081))

    init(address: NetworkAddress) {
        self.address = address
    }

    init?(argument: String) {
        guard let address = NetworkAddress(argument) else { return nil }
        self.address = address
    }

    var defaultValueDescription: String { "\(address)" }
}
