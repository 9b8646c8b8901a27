import Configuration
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service

@Suite("Being told to stop", .timeLimit(.minutes(1)))
struct UnreadyingTests {
    private struct Whole: ServiceLifecycle.Service {
        let application: Application

        func run() async throws { try await application.run() }
    }

    private static func yaml(_ graph: String) -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        serve: \(graph)
        """
    }

    @Test("The service is not ready at once, also while a reload is under way that cannot be broken off")
    func duringReload() async throws {
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
        let group = ServiceGroup(services: [Whole(application: application)], logger: log.logger)
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
