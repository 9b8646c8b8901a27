import Products
import TestSupport
import Testing

@testable import Service

@Suite("The current edition")
struct CurrentEditionTests {
    @Test("Every loop has the edition in force, before and after it is replaced", arguments: [1, 4])
    func copies(loops: Int) async throws {
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
