internal import Health
internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct QueuedAnalyticsSinkTests {
    private let writer = ScriptedWriter()
    private let log = LogRecorder()

    private func makeSink(capacity: Int = 10) -> QueuedAnalyticsSink {
        QueuedAnalyticsSink(
            name: "events", capacity: capacity, writer: writer, tally: AnalyticsTally(), logger: log.logger)
    }

    @Test func `events are written whole and in order`() async {
        let sink = makeSink(capacity: 1000)
        sink.start()
        for event in makeEvents(0..<500) { sink.log(event) }
        await sink.close(within: .seconds(60))
        #expect(writer.written == (0..<500).map { "\($0)" })
        #expect(sink.statistics.dropped == [:])
    }

    @Test func `a batch has at most 500 events`() async {
        let sink = makeSink(capacity: 2000)
        for event in makeEvents(0..<1200) { sink.log(event) }
        sink.start()
        await sink.close(within: .seconds(60))
        #expect(writer.batches.map(\.count) == [500, 500, 200])
        #expect(writer.written == (0..<1200).map { "\($0)" })
    }

    @Test func `what waits behind the batch that is written still counts as waiting`() async {
        let sink = makeSink(capacity: 1000)
        writer.block()
        for event in makeEvents(0..<1000) { sink.log(event) }
        sink.start()
        await writer.wait(begun: 1)
        #expect(sink.statistics.queued == 500)
        for event in makeEvents(1000..<1501) { sink.log(event) }
        #expect(sink.statistics.dropped == [.queueFull: 1])
        #expect(!sink.isIdle)
        writer.unblock()
        await sink.close(within: .seconds(60))
        #expect(writer.written == (0..<1500).map { "\($0)" })
        #expect(sink.isIdle)
        #expect(sink.backlogBytes == nil)
    }

    @Test func `a batch that fails after the deadline is counted once`() async {
        let sink = makeSink()
        let clock = ManualClock()
        writer.block()
        writer.fails("disk full")
        sink.start()
        sink.log(makeEvent("hangs"))
        await writer.wait(begun: 1)
        let closing = Task { await sink.close(within: .seconds(2), clock: clock) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        await closing.value
        writer.unblock()
        await log.wait(lines: 1)
        #expect(sink.statistics.dropped == [.closed: 1])
    }

    @Test func `events that came before the start wait for it`() async {
        let sink = makeSink()
        for event in makeEvents(0..<3) { sink.log(event) }
        sink.start()
        await writer.wait(written: 3)
        #expect(writer.batches == [["0", "1", "2"]])
        await sink.close(within: .seconds(60))
    }

    @Test func `a full queue drops and counts, and nobody waits for a writer that is blocked`() async {
        let sink = makeSink(capacity: 10)
        writer.block()
        sink.start()
        sink.log(makeEvent("first"))
        await writer.wait(begun: 1)
        for event in makeEvents(0..<25) { sink.log(event) }
        #expect(sink.statistics.dropped == [.queueFull: 15])
        writer.unblock()
        await sink.close(within: .seconds(60))
        #expect(writer.written == ["first"] + (0..<10).map { "\($0)" })
        #expect(sink.statistics.dropped == [.queueFull: 15])
    }

    @Test func `what many threads log is written or counted as dropped, to the last event`() async {
        let sink = makeSink(capacity: 100)
        sink.start()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { for event in makeEvents(0..<100) { sink.log(event) } }
            }
        }
        await sink.close(within: .seconds(60))
        #expect(writer.written.count + (sink.statistics.dropped[.queueFull] ?? 0) == 5000)
        #expect(writer.batches.allSatisfy { $0.count <= 100 })
    }

    @Test
    func `a failing writer loses its batch, which is counted; a row of failures is one line, and its end another`()
        async
    {
        let sink = makeSink()
        writer.fails("disk full")
        sink.start()
        for round in 1...5 {
            sink.log(makeEvent("lost"))
            await writer.wait(begun: round)
            // The count of losses shows that the writer's failure has been recorded.
            await yieldUntil { sink.statistics.dropped[.writeFailed, default: 0] >= round }
        }
        await yieldUntil { !sink.troubles.isEmpty }
        #expect(sink.troubles.map(\.cause) == ["disk full"])
        writer.fails(nil)
        sink.log(makeEvent("kept"))
        await writer.wait(written: 1)
        await sink.close(within: .seconds(60))
        #expect(writer.written == ["kept"] && sink.troubles.isEmpty)
        #expect(sink.statistics.dropped == [.writeFailed: 5])
        #expect(log.seen == ["warning: analytics sink fails, events are dropped", "notice: analytics sink recovered"])
        #expect(log.seenLines.first?.metadata == ["sink": "events", "error": "disk full"])
    }

    @Test func `closing writes what waits, and takes nothing more`() async {
        let sink = makeSink()
        writer.block()
        sink.start()
        for event in makeEvents(0..<3) { sink.log(event) }
        await writer.wait(begun: 1)
        for event in makeEvents(3..<6) { sink.log(event) }
        writer.unblock()
        await sink.close(within: .seconds(60))
        sink.log(makeEvent("late"))
        #expect(writer.written == (0..<6).map { "\($0)" })
        #expect(sink.statistics.dropped == [.closed: 1])
    }

    @Test func `closing ends at its deadline, however long the writer hangs, and counts what is left`() async {
        let sink = makeSink()
        writer.block()
        await close(sink, after: .seconds(2))
        #expect(sink.statistics.dropped == [.closed: 4])
        #expect(writer.written == [])
        writer.unblock()
        await writer.wait(written: 1)
        #expect(writer.written == ["hangs"])
        #expect(sink.statistics == AnalyticsStatistics(queued: 0, sent: [:], dropped: [.closed: 4]))
    }

    @Test func `the writer is told shortly before the deadline, and given what still waits`() async {
        let sink = makeSink()
        writer.hangs()
        await close(sink, after: .milliseconds(1500))
        #expect(writer.batches == [["hangs"], ["0", "1", "2"]])
        #expect(sink.statistics.dropped == [:])
    }

    /// Closes a sink within two seconds, of which this much passes, while its writer hangs and three events wait.
    private func close(_ sink: QueuedAnalyticsSink, after time: Duration) async {
        let clock = ManualClock()
        sink.start()
        sink.log(makeEvent("hangs"))
        await writer.wait(begun: 1)
        for event in makeEvents(0..<3) { sink.log(event) }
        let closing = Task { await sink.close(within: .seconds(2), clock: clock) }
        await clock.waitForSleepers(2)
        clock.advance(by: time)
        await closing.value
    }

    @Test func `what waits is told, and what was written and lost`() async {
        let tally = AnalyticsTally()
        let sink = QueuedAnalyticsSink(
            name: "events", capacity: 2, writer: LogAnalyticsWriter(logger: log.logger, tally: tally), tally: tally,
            logger: log.logger)
        for name in ["a", "b", "b"] { sink.log(makeEvent(name)) }
        #expect(sink.statistics == AnalyticsStatistics(queued: 2, sent: [:], dropped: [.queueFull: 1]))
        sink.start()
        await sink.close(within: .seconds(60))
        #expect(sink.statistics == AnalyticsStatistics(queued: 0, sent: ["a": 1, "b": 1], dropped: [.queueFull: 1]))
    }

    @Test func `a caller that is cancelled does not cut the flushing short`() async {
        let sink = makeSink()
        writer.block()
        sink.start()
        sink.log(makeEvent("0"))
        await writer.wait(begun: 1)
        sink.log(makeEvent("1"))
        let closing = Task { await sink.close(within: .seconds(60), clock: ManualClock()) }
        closing.cancel()
        writer.unblock()
        await closing.value
        #expect(writer.written == ["0", "1"])
    }

    @Test func `a sink that was never started loses what it holds, and says so`() async {
        let sink = makeSink()
        for event in makeEvents(0..<3) { sink.log(event) }
        await sink.close(within: .seconds(60))
        #expect(sink.statistics.dropped == [.closed: 3])
        #expect(writer.written == [])
    }

    @Test func `a sink that is closed and let go is gone, and so is its writer`() async {
        let isGone = Observed(false)
        do {
            let writer = ScriptedWriter(onDeinit: { isGone.update { $0 = true } })
            let sink = QueuedAnalyticsSink(name: "events", writer: writer, tally: AnalyticsTally(), logger: log.logger)
            sink.start()
            sink.log(makeEvent())
            await sink.close(within: .seconds(60))
            #expect(writer.written == ["asked"])
        }
        await isGone.wait { $0 }
    }
}
