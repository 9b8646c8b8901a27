import Concurrency
import Logging
import Products
import Providers
import ServiceLifecycle
import TestSupport
import Testing

@testable import Configuration
@testable import Service

@Suite("Closing the graph", .timeLimit(.minutes(1)))
struct GraphClosingTests {
    private let log = LogRecorder()

    /// What a graph that was replaced has left open, told to the log when it is closed.
    private func leftOver(_ name: String = "old") -> ShutdownHook {
        ShutdownHook(name: name, owner: "providers.\(name)", isTakenOver: false) { [log] in
            log.logger.info("\(name)")
        }
    }

    private func edition(_ runtime: Runtime) throws -> Edition {
        Edition(
            try ProbeGraph.configuration(log), graph: try ProbeGraph.make(log),
            readiness: ReadinessTracker(wallClock: .system), runtime: runtime)
    }

    @Test("At a graceful stop all is closed before the service ends: replaced graphs, then what was made last first")
    func order() async throws {
        let runtime = try Runtime(threads: 1, logger: log.logger)
        let retired = RetiredGraphs()
        retired.add([leftOver()], vacancy: GraphVacancy())
        let closing = GraphClosing(current: CurrentEdition(try edition(runtime)), retired: retired)
        let group = ServiceGroup(services: [closing], logger: LogRecorder().logger)
        let running = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(log.lines == ["info: old", "info: made last", "info: made first"])
        await runtime.shutdown()
    }

    @Test("A replaced graph is closed when nobody holds its edition any more, and then forgotten")
    func vacancy() async throws {
        let runtime = try Runtime(threads: 1, logger: log.logger)
        let retired = RetiredGraphs()
        var old: Edition? = try edition(runtime)
        let current = CurrentEdition(try #require(old))
        retired.add([leftOver()], vacancy: try #require(old).graph.vacancy)
        current.edition = try edition(runtime)
        #expect(old?.number == 1)
        #expect(log.lines == [])
        old = nil
        await log.wait(for: "info: old")
        try await eventually { retired.count == 0 }
        await runtime.shutdown()
    }

    @Test("A graph that leaves nothing open is forgotten too when it is vacant, or when the service stops")
    func nothingLeft() async throws {
        let retired = RetiredGraphs()
        let vacancy = GraphVacancy()
        retired.add([], vacancy: vacancy)
        #expect(retired.count == 1)
        vacancy.declare()
        try await eventually { retired.count == 0 }
        retired.add([], vacancy: GraphVacancy())
        await retired.close()
        #expect(retired.count == 0)
    }

    @Test("What graphs leave open is closed in the order in which they were replaced, whichever is vacant first")
    func inOrder() async throws {
        let (retired, others) = (RetiredGraphs(), RetiredGraphs())
        let vacancies = (first: GraphVacancy(), second: GraphVacancy(), other: GraphVacancy())
        retired.add([], vacancy: vacancies.first)
        retired.add([leftOver("second")], vacancy: vacancies.second)
        vacancies.second.declare()
        others.add([leftOver("other")], vacancy: vacancies.other)
        vacancies.other.declare()
        await log.wait(for: "info: other")
        #expect(retired.count == 2)
        vacancies.first.declare()
        await log.wait(for: "info: second")
        #expect(log.lines == ["info: other", "info: second"])
    }

    @Test("When the service stops graphs are closed at the same time, so that many take no longer than one")
    func sideBySide() async {
        let retired = RetiredGraphs()
        let begun = Observed(0)
        for number in 0..<3 {
            let hook = ShutdownHook(name: "\(number)", owner: "analytics.events", isTakenOver: false) {
                begun.update { $0 += 1 }
                await begun.wait { $0 == 3 }
            }
            retired.add([hook], vacancy: GraphVacancy())
        }
        await retired.close()
        #expect(begun.value == 3)
        #expect(retired.count == 0)
    }
}
