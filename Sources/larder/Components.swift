internal import ArgumentParser
internal import Foundation
internal import Service

struct Components: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists what a config file can wire, or describes one type of it.")

    @Argument(help: "The type to describe.")
    var type: String?

    func run() async throws {
        let environment = CommandEnvironment(variables: ProcessInfo.processInfo.environment)
        try await reporting(environment) {
            try ComponentsCommand(type: type, environment: environment).run()
        }
    }
}

struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the JSON Schema of config files, for editors that complete and check YAML by one.")

    func run() async throws {
        let environment = CommandEnvironment(variables: ProcessInfo.processInfo.environment)
        try await reporting(environment) { try SchemaCommand(environment: environment).run() }
    }
}
