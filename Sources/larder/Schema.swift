import ArgumentParser
import Foundation
import Service

struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the JSON Schema of config files, for editors that complete and check YAML by one.")

    func run() async throws {
        let environment = CommandEnvironment(variables: ProcessInfo.processInfo.environment)
        try await reporting(environment) { try SchemaCommand(environment: environment).run() }
    }
}
