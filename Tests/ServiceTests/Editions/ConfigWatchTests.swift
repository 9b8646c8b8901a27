import Concurrency
import Configuration
import FoundationEssentials
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct ConfigWatchTests {
    private struct Files {
        let directory: TemporaryDirectory
        var config: String { directory("larder.yaml") }

        init() throws { directory = try TemporaryDirectory() }

        func write(ttl: String, watching: Bool = true, token: String? = nil) throws {
            let secret = token.map { ", auth: { type: header, name: X-Token, value_file: \($0) }" } ?? ""
            let text = """
                http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
                admin: { listen: 127.0.0.1:0 }
                reload: { watch: \(watching) }
                serve: { type: memory, ttl: \(ttl), upstream: { type: http, request: { base_url: "http://127.0.0.1:1" }\(secret) } }
                """
            try Data(text.utf8).write(to: URL(filePath: config), options: .atomic)
        }

        func load() throws(ConfigurationError) -> LoadedConfiguration {
            try LoadedConfiguration.load(path: config, environment: [:])
        }
    }

    /// Runs a service whose config is a file, with its watch on the clock of the test.
    private func running(
        _ files: Files, _ log: LogRecorder,
        _ body: (_ pass: () async throws -> Void, _ requests: Observed<Int>) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let requests = Observed(0)
        let runtime = try Runtime(threads: 1, logger: log.logger)
        let application = try await Application(try files.load(), runtime: runtime)
        let source = ReloadSource(
            requests: AsyncStream { $0.finish() }, request: { requests.update { $0 += 1 } },
            load: { () throws(ConfigurationError) in try files.load() })
        let watch = ConfigWatch(
            current: application.parts.current, source: source, logger: log.logger, clock: clock)
        let group = ServiceGroup(services: [WholeService(application: application), watch], logger: log.logger)
        let run = Task { try await group.run() }
        try await attempt {
            await clock.waitForSleepers(1)
            try await body(
                {
                    clock.advance(by: .seconds(1))
                    await clock.waitForSleepers(1)
                }, requests)
        } finally: {
            await group.triggerGracefulShutdown()
            _ = try? await run.value
            await runtime.shutdown()
        }
    }

    @Test func `other content that has stayed the same is one request`() async throws {
        let (files, log) = (try Files(), LogRecorder())
        try files.write(ttl: "1s")
        try await running(files, log) { pass, requests in
            try await pass()
            try files.write(ttl: "2s")
            try await pass()
            #expect(requests.value == 0)
            for _ in 0..<3 { try await pass() }
            #expect(requests.value == 1)
            #expect(log.count(of: "notice: a file of the config has changed") == 1)
            try files.write(ttl: "3s")
            try await pass()
            try files.write(ttl: "4s")
            try await pass()
            #expect(requests.value == 1)
            try await pass()
            #expect(requests.value == 2)
        }
    }

    @Test func `a file that the config names is watched, and one that a reload may have added`() async throws {
        let (files, log) = (try Files(), LogRecorder())
        let keys = files.directory("keys")
        let write = { (text: String) in try Data(text.utf8).write(to: URL(filePath: keys), options: .atomic) }
        try write("Bearer one")
        try files.write(ttl: "1s", token: keys)
        try await running(files, log) { pass, requests in
            try await pass()
            try write("Bearer two")
            for _ in 0..<3 { try await pass() }
            #expect(requests.value == 1)
            #expect(log.metadata(of: "notice: a file of the config has changed").last?["path"] == keys)
        }
    }

    @Test func `the same content, and a config that is not watched, are none`() async throws {
        let (files, log) = (try Files(), LogRecorder())
        try files.write(ttl: "1s")
        try await running(files, log) { pass, requests in
            try files.write(ttl: "1s")
            for _ in 0..<3 { try await pass() }
            #expect(requests.value == 0)
        }
        try files.write(ttl: "1s", watching: false)
        try await running(files, log) { pass, requests in
            try files.write(ttl: "2s", watching: false)
            for _ in 0..<3 { try await pass() }
            #expect(requests.value == 0)
        }
    }
}
