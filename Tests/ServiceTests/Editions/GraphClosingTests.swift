@testable import Serving
import Concurrency
import Logging
import Products
import Providers
import ServiceLifecycle
import TestSupport
import Testing

@testable import Configuration
@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct GraphClosingTests {
    private let log = LogRecorder()

    /// A hook of a replaced graph, which logs its closing.
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

    @Test func `a graceful stop closes replaced graphs first, then the current one, last made first`() async throws {
        let runtime = try Runtime(threads: 1, logger: log.logger)
        let retired = RetiredGraphs()
        retired.add([leftOver()], drained: GraphDrained())
        let closing = GraphClosing(current: CurrentEdition(try edition(runtime)), retired: retired)
        let group = ServiceGroup(services: [closing], logger: LogRecorder().logger)
        let running = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(log.seen == ["info: old", "info: made last", "info: made first"])
        await runtime.shutdown()
    }

    @Test func `a replaced graph is closed and forgotten when its edition is released`() async throws {
        let runtime = try Runtime(threads: 1, logger: log.logger)
        let retired = RetiredGraphs()
        var old: Edition? = try edition(runtime)
        let current = CurrentEdition(try #require(old))
        retired.add([leftOver()], drained: try #require(old).graph.drained)
        current.edition = try edition(runtime)
        #expect(old?.number == 1)
        #expect(log.seen == [])
        old = nil
        await log.wait(for: "info: old")
        try await eventually { retired.count == 0 }
        await runtime.shutdown()
    }

    @Test func `a graph with nothing to close is forgotten when released or when the service stops`() async throws {
        let retired = RetiredGraphs()
        let drained = GraphDrained()
        retired.add([], drained: drained)
        #expect(retired.count == 1)
        drained.declare()
        try await eventually { retired.count == 0 }
        retired.add([], drained: GraphDrained())
        await retired.close()
        #expect(retired.count == 0)
    }

    @Test func `graphs are closed in the order of their replacement, whichever is released first`() async throws {
        let (retired, others) = (RetiredGraphs(), RetiredGraphs())
        let vacancies = (first: GraphDrained(), second: GraphDrained(), other: GraphDrained())
        retired.add([], drained: vacancies.first)
        retired.add([leftOver("second")], drained: vacancies.second)
        vacancies.second.declare()
        others.add([leftOver("other")], drained: vacancies.other)
        vacancies.other.declare()
        await log.wait(for: "info: other")
        #expect(retired.count == 2)
        vacancies.first.declare()
        await log.wait(for: "info: second")
        #expect(log.seen == ["info: other", "info: second"])
    }

    @Test func `a stopping service closes graphs concurrently`() async {
        let retired = RetiredGraphs()
        let begun = Observed(0)
        for number in 0..<3 {
            let hook = ShutdownHook(name: "\(number)", owner: "analytics.events", isTakenOver: false) {
                begun.update { $0 += 1 }
                await begun.wait { $0 == 3 }
            }
            retired.add([hook], drained: GraphDrained())
        }
        await retired.close()
        #expect(begun.value == 3)
        #expect(retired.count == 0)
    }
}

@Suite struct CurrentEditionTests {
    @Test(arguments: [1, 4])
    func `every loop has the edition in force before and after a replacement`(loops: Int) async throws {
        let log = LogRecorder()
        let runtime = try Runtime(threads: 1, logger: log.logger)
        func edition(replacing previous: Edition? = nil) throws -> Edition {
            Edition(
                try ProbeGraph.configuration(log), graph: try ProbeGraph.make(log),
                readiness: ReadinessTracker(wallClock: .system), runtime: runtime, replacing: previous)
        }
        let current = CurrentEdition(try edition(), loops: loops)
        #expect(current.copies.map(\.edition.number) == Array(repeating: 1, count: loops))
        current.edition = try edition(replacing: current.edition)
        #expect(current.edition.number == 2)
        #expect(current.copies.map(\.edition.number) == Array(repeating: 2, count: loops))
        await runtime.shutdown()
    }
}
