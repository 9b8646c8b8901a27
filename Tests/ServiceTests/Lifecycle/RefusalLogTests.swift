import HTTPServer
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct RefusalLogTests {
    private let log = LogRecorder()
    private let clock = ManualClock()
    private let counts = Shared<[HTTPRefusal: Int]>([.malformed: 7])

    private var told: [String?] { log.metadata(of: "warning: refused").map { $0["reasons"] } }

    /// Runs the log like the service does, while `body` runs.
    private func run(_ body: () async throws -> Void) async throws {
        let refusals = RefusalLog(counts: { [counts] in counts.withLock { $0 } }, logger: log.logger, clock: clock)
        let group = ServiceGroup(services: [refusals], logger: LogRecorder().logger)
        let running = Task { try await group.run() }
        await clock.waitForSleepers()
        try await body()
        await group.triggerGracefulShutdown()
        try await running.value
    }

    private func refuse(_ more: [HTTPRefusal: Int]) {
        counts.withLock { $0.merge(more, uniquingKeysWith: +) }
    }

    private func passMinute() async {
        clock.advance(by: .seconds(60))
        await clock.waitForSleepers()
    }

    @Test func `each minute reports the growth of every count in one line, and nothing without growth`() async throws {
        try await run {
            await passMinute()
            #expect(told == [])
            refuse([.overloaded: 3])
            clock.advance(by: .milliseconds(59_999))
            #expect(told == [])
            clock.advance(by: .milliseconds(1))
            await clock.waitForSleepers()
            #expect(told == [#"["overloaded": "3"]"#])
            refuse([.overloaded: 1, .malformed: 1])
            await passMinute()
            await passMinute()
            #expect(told.count == 2)
            #expect(told.last.flatMap(\.self)?.contains(#""overloaded": "1""#) == true)
            #expect(told.last.flatMap(\.self)?.contains(#""malformed": "1""#) == true)
        }
        #expect(told.count == 2)
    }

    @Test func `the rest is reported when the service stops`() async throws {
        try await run { refuse([.targetSize: 2]) }
        #expect(told == [#"["target_size": "2"]"#])
    }

    @Test func `idle connections are not reported`() async throws {
        try await run {
            refuse([.idle: 50])
            await passMinute()
        }
        #expect(told == [])
    }
}
