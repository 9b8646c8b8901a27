import Logging
import ServiceLifecycle
import Testing

@testable import Service

@Suite("Closing the graph", .timeLimit(.minutes(1)))
struct GraphClosingTests {
    @Test("At a graceful stop everything is closed, what was made last first, before the service ends")
    func order() async throws {
        let log = LogRecorder()
        let closing = GraphClosing(graph: try ProbeGraph.make(log))
        let group = ServiceGroup(services: [closing], logger: LogRecorder().logger)
        let running = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(log.lines == ["info: made last", "info: made first"])
    }
}
