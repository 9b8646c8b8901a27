import Configuration
import ServiceLifecycle
import TestSupport
import Testing

@testable import Serving
@testable import Service

@Suite struct StartErrorTests {
    @Test func `a libevent that is too old is named, and the oldest one supported`() {
        let error = StartError.libevent(found: "2.1.11-stable", oldest: "2.1.12-stable")
        #expect("\(error)" == "libevent 2.1.11-stable is too old: the service requires 2.1.12-stable or a newer one")
    }
}

@Suite(.timeLimit(.minutes(1)))
struct DrainReadinessTests {
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
        try await eventually { if case .draining = application.parts.readiness.verdict { true } else { false } }
        #expect(log.count(of: "notice: draining") == 0)
        opening.finish()
        try await running.value
        await runtime.shutdown()
    }
}
