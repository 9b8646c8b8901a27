import ArgumentParser
import Foundation
import Service

struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the JSON Schema of config files, for editors that complete and check YAML by one.")

    func run() async throws {
        SchemaCommand(environment: CommandEnvironment(variables: ProcessInfo.processInfo.environment)).run()
    }
}
