import ArgumentParser
import Foundation
import Service

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
