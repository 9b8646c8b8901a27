internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct SimpleSinksTests {
    private let log = LogRecorder()

    @Test func `the log gets an event as one line, its parameters beside it`() async throws {
        let tally = AnalyticsTally()
        let events = [makeEvent("a", parameters: ["shop": "main", "n": 7]), makeEvent("b")]
        try await LogAnalyticsWriter(logger: log.logger, tally: tally).write(events)
        #expect(log.seen == ["info: analytics", "info: analytics"])
        #expect(
            log.seenLines.map(\.metadata) == [
                ["event": "a", "parameters.shop": "main", "parameters.n": "7"], ["event": "b"],
            ])
        #expect(tally.sent == ["a": 1, "b": 1])
    }

    @Test func `a tee gives every event to each of its sinks, whether the others take it or not`() async {
        let (good, failing) = (ScriptedWriter(), ScriptedWriter())
        failing.fails("disk full")
        let sinks = [failing, good].map {
            QueuedAnalyticsSink(name: "events", writer: $0, tally: AnalyticsTally(), logger: log.logger)
        }
        let tee = TeeAnalyticsSink(sinks: sinks)
        for event in makeEvents(0..<3) { tee.log(event) }
        for sink in sinks {
            sink.start()
            await sink.close(within: .seconds(60))
        }
        #expect(good.written == ["0", "1", "2"])
        #expect(sinks.map(\.statistics.dropped) == [[.writeFailed: 3], [:]])
    }
}
