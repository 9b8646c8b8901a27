import Configuration
import HTTPServer
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service

@Suite struct LibeventSoundnessTests {
    private let log = LogRecorder()

    @Test func `a libevent without fixes is a warning, an untested one a notice, a sound one nothing`() throws {
        for soundness in [LibeventSoundness.sound, .unpatched, .untried] { try soundness.check(log.logger) }
        #expect(
            log.lines == [
                "warning: libevent lacks security fixes, update it",
                "notice: libevent could not be tried for its security fixes",
            ])
    }

    @Test func `a libevent that is too old stops the start`() {
        let error = #expect(throws: StartError.self) { try LibeventSoundness.tooOld.check(log.logger) }
        let words = error.map { "\($0)" }
        #expect(
            words == "libevent \(HTTPServer.libeventVersion) is too old: it takes 2.1.12-stable or a newer one")
    }
}

@Suite(.timeLimit(.minutes(1)))
struct UnreadyingTests {
    private static func yaml(_ graph: String) -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        serve: \(graph)
        """
    }

    @Test func `the service is unready at once, even while a reload cannot be interrupted`() async throws {
        let log = LogRecorder()
        let (openings, opening) = AsyncStream.makeStream(of: Never.self)
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let source = ReloadSource(requests: requests) { () throws(ConfigurationError) in
            try ProbeGraph.configuration(log, Self.yaml("{ type: probe, breaks: true, upstream: { type: probe } }")) {
                await Task.detached { for await _ in openings {} }.value
            }
        }
        let runtime = try Runtime(threads: 1, logger: log.logger)
        let application = try await Application(
            try ProbeGraph.configuration(log, Self.yaml("{ type: probe }")), runtime: runtime, reloadingFrom: source)
        let group = ServiceGroup(services: [WholeService(application: application)], logger: log.logger)
        let running = Task { try await group.run() }
        await log.wait(for: "notice: serving")
        request.yield()
        await log.wait(for: "info: made last")
        await group.triggerGracefulShutdown()
        try await eventually { if case .draining = application.subjects.readiness.verdict { true } else { false } }
        #expect(log.count(of: "notice: draining") == 0)
        opening.finish()
        try await running.value
        await runtime.shutdown()
    }
}
