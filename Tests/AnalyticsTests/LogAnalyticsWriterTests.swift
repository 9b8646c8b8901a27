internal import TestSupport
internal import Analytics
internal import JSON
internal import Logging
internal import Testing

struct LogAnalyticsWriterTests {
    @Test("an event is one line, its parameters beside it")
    func line() async throws {
        let (log, tally) = (LogRecorder(), AnalyticsTally())
        let events = [makeEvent("a", parameters: ["shop": "main", "n": 7]), makeEvent("b")]
        try await LogAnalyticsWriter(logger: log.logger, tally: tally).write(events)
        #expect(log.seen == ["info: analytics", "info: analytics"])
        #expect(
            log.seenLines.map(\.metadata) == [
                ["event": "a", "parameters.shop": "main", "parameters.n": "7"], ["event": "b"],
            ])
        #expect(tally.sent == ["a": 1, "b": 1])
    }
}
