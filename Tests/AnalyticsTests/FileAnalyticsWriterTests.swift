internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Analytics

@Suite(.timeLimit(.minutes(1)))
struct FileAnalyticsWriterTests {
    private let fixture: FileAnalyticsFixture

    init() throws {
        fixture = try FileAnalyticsFixture()
    }

    @Test func `an event is one line of JSON`() async throws {
        let event = makeEvent(
            "products_cache_hit", at: Date(timeIntervalSince1970: 1_769_860_800.125),
            parameters: ["shop": "main", "n": 7])
        try await fixture.makeWriter().write([event])
        #expect(
            try fixture.lines(fixture.path) == [
                #"{"timestamp":"2026-01-31T12:00:00.125Z","event":"products_cache_hit","#
                    + #""parameters":{"shop":"main","n":7}}"#
            ])
    }

    @Test func `whatever an event holds, it stays one line of valid JSON`() async throws {
        let odd = "two\nlines, a \"quote\", a \\ and \u{0} and é😀\u{2028}"
        try await fixture.makeWriter().write([makeEvent(odd, parameters: [odd: .string(odd)]), makeEvent("next")])
        let lines = try fixture.lines(fixture.path)
        #expect(lines.count == 2)
        let object = try JSONParser().parse(Array(try #require(lines.first).utf8)).object
        #expect(object?["event"] == .string(odd))
        #expect(object?["parameters"] == .object([odd: .string(odd)]))
    }

    @Test func `events of a batch are written as they would be alone`() {
        let start = Date(timeIntervalSince1970: 1_769_860_800)
        let contents = ["a", "a", "b"].flatMap { name in
            [[:], ["n": 1], ["n": 2]].map { AnalyticsEvent.Content(name: name, parameters: $0) }
        }
        let events = [0.0, 0, 0.25, 3600, 0].flatMap { seconds in
            contents.flatMap { content in
                [content, content].map { AnalyticsEvent($0, at: start.addingTimeInterval(seconds)) }
            }
        }
        #expect(AnalyticsEventEncoder.lines(of: events) == events.flatMap { AnalyticsEventEncoder.lines(of: [$0]) })
    }

    @Test(arguments: [1_769_860_800, 978_307_199, 0, -86_400])
    func `a time has the digits of its ISO 8601 form`(start: Double) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let dates = (0..<2500).flatMap { number in
            [Double(number) / 1000, Double(number) * 0.618].map { Date(timeIntervalSince1970: start + $0) }
        }
        let lines = AnalyticsEventEncoder.lines(of: dates.map { makeEvent(at: $0) })
        let expected = dates.map { #"{"timestamp":"\#($0.formatted(style))","event":"asked","parameters":{}}"# + "\n" }
        #expect(String(decoding: lines, as: UTF8.self) == expected.joined())
    }

    @Test func `batches go after each other, also when the writer is another one, after what is there`() async throws {
        try await fixture.makeWriter().write(makeEvents(0..<2))
        let second = fixture.makeWriter()
        try await second.write(makeEvents(2..<3))
        try await second.write(makeEvents(3..<5))
        #expect(try fixture.names(fixture.path) == ["0", "1", "2", "3", "4"])
    }

    @Test func `nothing is opened before the first event, and the directory is made then`() async throws {
        let path = fixture.directory("a/b/events.jsonl")
        let writer = FileAnalyticsWriter(
            path: path, rotateAt: 100, keep: 1, tally: fixture.tally, logger: fixture.log.logger)
        #expect(!Files.exists(fixture.directory("a")))
        try await writer.write([makeEvent()])
        #expect(try fixture.names(path) == ["asked"])
    }

    @Test func `two writers of one file, each of which rotates it, lose nothing and tear nothing`() async throws {
        let writers = (0..<2).map { _ in fixture.makeWriter(rotateAt: 300, keep: 1000) }
        try await withThrowingTaskGroup { group in
            for (number, writer) in writers.enumerated() {
                group.addTask {
                    for event in 0..<200 { try await writer.write([makeEvent("\(number)-\(event)")]) }
                }
            }
            try await group.waitForAll()
        }
        let found = try Files.list(fixture.directory.path).flatMap { try fixture.names(fixture.directory($0)) ?? [] }
        #expect(found.sorted() == (0..<2).flatMap { number in (0..<200).map { "\(number)-\($0)" } }.sorted())
    }

    @Test(arguments: [true, false])
    func `a torn line does not swallow the next one`(isBefore: Bool) async throws {
        let writer = fixture.makeWriter()
        if !isBefore { try await writer.write([makeEvent("old")]) }
        try AppendFile(path: fixture.path).append(Array(#"{"timestamp":"20"#.utf8))
        for event in makeEvents(0..<2) { try await writer.write([event]) }
        #expect(
            try fixture.lines(fixture.path).map { $0.hasSuffix("}") } == (isBefore ? [] : [true]) + [false, true, true])
        #expect(try !String(decoding: Files.read(fixture.path), as: UTF8.self).contains("\n\n"))
    }

    @Test func `nobody else may read the file, nor one that was rotated`() async throws {
        let writer = fixture.makeWriter(rotateAt: 1)
        for event in makeEvents(0..<2) { try await writer.write([event]) }
        #expect([fixture.path, "\(fixture.path).1"].map(FilePermissions.of) == [0o600, 0o600])
    }

    @Test(arguments: [true, false])
    func `a file that somebody moves away or removes is made anew`(isKept: Bool) async throws {
        let writer = fixture.makeWriter()
        try await writer.write([makeEvent("old")])
        try isKept
            ? Files.rename(fixture.path, to: fixture.directory("events.jsonl-20260131")) : Files.remove(fixture.path)
        try await writer.write([makeEvent("new")])
        #expect(try fixture.names(fixture.path) == ["new"])
        #expect(try fixture.names(fixture.directory("events.jsonl-20260131")) == (isKept ? ["old"] : nil))
    }

    @Test func `a file that somebody empties goes on from its beginning`() async throws {
        let writer = fixture.makeWriter()
        try await writer.write(makeEvents(0..<100))
        let result = unsafe truncate(fixture.path, 0)
        try #require(result == 0)
        try await writer.write([makeEvent("new")])
        #expect(try fixture.names(fixture.path) == ["new"])
    }

    @Test func `what is written is counted by name, and only that`() async throws {
        let writer = fixture.makeWriter()
        try await writer.write([makeEvent("a"), makeEvent("b"), makeEvent("a")])
        let full = FileAnalyticsWriter(
            path: "/dev/full", rotateAt: 1 << 20, keep: 3, tally: fixture.tally, logger: fixture.log.logger)
        await #expect(throws: FileSystemError.self) { try await full.write([makeEvent("c")]) }
        #expect(fixture.tally.sent == ["a": 2, "b": 1])
    }

    @Test func `a place that cannot be written is an error, and is tried again each time`() async throws {
        try Files.create(fixture.directory("file"), [])
        let path = fixture.directory("file/events.jsonl")
        let writer = FileAnalyticsWriter(
            path: path, rotateAt: 1 << 20, keep: 3, tally: fixture.tally, logger: fixture.log.logger)
        for _ in 0..<2 {
            await #expect(throws: FileSystemError.self) { try await writer.write([makeEvent("lost")]) }
        }
        try Files.remove(fixture.directory("file"))
        try await writer.write([makeEvent("kept")])
        #expect(try fixture.names(path) == ["kept"])
    }

    @Test func `a full disk is one error after the other, until it is not full any more`() async throws {
        let writer = FileAnalyticsWriter(
            path: "/dev/full", rotateAt: 1 << 20, keep: 3, tally: fixture.tally, logger: fixture.log.logger)
        for _ in 0..<2 {
            let error = await #expect(throws: FileSystemError.self) { try await writer.write([makeEvent()]) }
            #expect(error?.isOutOfSpace == true)
        }
    }

    @Test func `what a full disk costs is counted as such`() async {
        let writer = FileAnalyticsWriter(
            path: "/dev/full", rotateAt: 1 << 20, keep: 3, tally: fixture.tally, logger: fixture.log.logger)
        let sink = QueuedAnalyticsSink(name: "events", writer: writer, tally: fixture.tally, logger: fixture.log.logger)
        for event in makeEvents(0..<3) { sink.log(event) }
        sink.start()
        await sink.close(within: .seconds(60))
        #expect(sink.statistics == AnalyticsStatistics(queued: 0, sent: [:], dropped: [.diskFull: 3]))
    }

    @Test func `a failing disk behind the queue is one line, and its end another`() async throws {
        try Files.create(fixture.directory("file"), [])
        let path = fixture.directory("file/events.jsonl")
        let writer = FileAnalyticsWriter(
            path: path, rotateAt: 1 << 20, keep: 3, tally: fixture.tally, logger: fixture.log.logger)
        let sink = QueuedAnalyticsSink(name: "events", writer: writer, tally: fixture.tally, logger: fixture.log.logger)
        sink.start()
        for round in 1...3 {
            sink.log(makeEvent("lost"))
            await yieldUntil { sink.statistics.dropped[.writeFailed, default: 0] >= round }
        }
        try Files.remove(fixture.directory("file"))
        sink.log(makeEvent("kept"))
        await fixture.log.wait(lines: 2)
        await sink.close(within: .seconds(60))
        #expect(try fixture.names(path) == ["kept"])
        #expect(
            fixture.log.seen == [
                "warning: analytics sink fails, events are dropped", "notice: analytics sink recovered",
            ])
    }
}
