@testable import Concurrency
import ArgumentParser
import FileSystem
import FoundationEssentials
import Products
import TestSupport
import Testing

@testable import larder

/// Runs commands in memory, and keeps what they print.
struct CommandFixture {
    let directory: TemporaryDirectory
    let printed = Observed("")
    let notes = Observed<[String]>([])
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_769_868_065))
    var variables: [String: String] = [:]

    init() throws {
        directory = try TemporaryDirectory()
    }

    var environment: CommandEnvironment {
        var environment = CommandEnvironment(variables: variables)
        environment.output = { [printed] bytes in printed.update { $0 += String(decoding: bytes, as: UTF8.self) } }
        environment.report = { [notes] line in notes.update { $0.append(line) } }
        environment.wallClock = WallClock { [clock] in clock.now }
        return environment
    }

    /// Runs a command line, whose words are separated by spaces, and returns what it prints to standard output.
    @discardableResult
    func run(
        _ line: String, _ config: String? = nil, in environment: CommandEnvironment? = nil
    ) async throws -> String {
        let words = line.split(separator: " ").map(String.init) + (config.map { ["--config", $0] } ?? [])
        let command = try #require(try Larder.parseAsRoot(words) as? any Command)
        printed.update { $0 = "" }
        try await command.run(in: environment ?? self.environment)
        return printed.value
    }

    /// Runs a command line that fails, and returns the message of the failure.
    func failure(_ line: String, _ config: String? = nil) async -> String? {
        await #expect(throws: CommandFailure.self) { try await run(line, config) }?.description
    }

    /// Writes a config file, and returns its path.
    func config(_ text: String) throws -> String {
        let path = directory("c.yaml")
        if Files.exists(path) { try Files.remove(path) }
        try Files.create(path, Array(text.utf8))
        return path
    }
}
