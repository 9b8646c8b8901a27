internal import TestSupport
internal import Analytics
internal import FileSystem
internal import FoundationEssentials
internal import JSON
internal import Testing

@Suite(.timeLimit(.minutes(1)))
struct FileAnalyticsWriterTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var path: String { directory("events.jsonl") }

    private func makeWriter(rotateAt: Int = 1 << 20, keep: Int = 3) -> FileAnalyticsWriter {
        FileAnalyticsWriter(path: path, rotateAt: rotateAt, keep: keep)
    }

    private func lines(_ path: String) throws -> [String] {
        String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The names of the events in a file; nil when it is not there.
    private func names(_ path: String) throws -> [String]? {
        guard Files.exists(path) else { return nil }
        return try lines(path).map { line in
            try JSONParser().parse(Array(line.utf8)).object?["event"]?.string ?? "no event"
        }
    }

    @Test("an event is one line of JSON")
    func line() async throws {
        let event = AnalyticsEvent(
            name: "products_cache_hit", timestamp: Date(timeIntervalSince1970: 1_769_860_800.125),
            parameters: ["shop": "main", "n": 7])
        try await makeWriter().write([event])
        #expect(
            try lines(path) == [
                #"{"timestamp":"2026-01-31T12:00:00.125Z","event":"products_cache_hit","#
                    + #""parameters":{"shop":"main","n":7}}"#
            ])
    }

    @Test("whatever an event holds, it stays one line of valid JSON")
    func escaping() async throws {
        let odd = "two\nlines, a \"quote\", a \\ and \u{0} and é😀\u{2028}"
        try await makeWriter().write([makeEvent(odd, parameters: [odd: .string(odd)]), makeEvent("next")])
        let lines = try lines(path)
        #expect(lines.count == 2)
        let object = try JSONParser().parse(Array(try #require(lines.first).utf8)).object
        #expect(object?["event"] == .string(odd))
        #expect(object?["parameters"] == .object([odd: .string(odd)]))
    }

    @Test("batches go after each other, also when the writer is another one, after what is there")
    func appending() async throws {
        try await makeWriter().write(makeEvents(0..<2))
        let second = makeWriter()
        try await second.write(makeEvents(2..<3))
        try await second.write(makeEvents(3..<5))
        #expect(try names(path) == ["0", "1", "2", "3", "4"])
    }

    @Test("nothing is opened before the first event, and the directory is made then")
    func directoryIsMade() async throws {
        let path = directory("a/b/events.jsonl")
        let writer = FileAnalyticsWriter(path: path, rotateAt: 100, keep: 1)
        #expect(!Files.exists(directory("a")))
        try await writer.write([makeEvent()])
        #expect(try names(path) == ["asked"])
    }

    @Test(
        "a file that has its size is moved aside, and the oldest goes",
        arguments: [(3, ["5", "4", "3", "2", nil]), (1, ["5", "4", nil]), (0, ["5", nil])] as [(Int, [String?])])
    func rotation(keep: Int, expected: [String?]) async throws {
        let writer = makeWriter(rotateAt: 1, keep: keep)
        for event in makeEvents(0..<6) { try await writer.write([event]) }
        let paths = [path] + (1..<expected.count).map { "\(path).\($0)" }
        #expect(try paths.map { try names($0) } == expected.map { name in name.map { [$0] } })
    }

    @Test("a file is not moved before it has its size")
    func sizes() async throws {
        let size = #"{"timestamp":"2026-01-31T12:00:00.000Z","event":"0","parameters":{}}"#.utf8.count + 1
        let writer = makeWriter(rotateAt: 2 * size, keep: 3)
        for event in makeEvents(0..<5) { try await writer.write([event]) }
        #expect(try names(path) == ["4"])
        #expect(try names("\(path).1") == ["2", "3"])
        #expect(try names("\(path).2") == ["0", "1"])
    }

    @Test("a file that had its size when the service started is moved at the first event")
    func restart() async throws {
        try await makeWriter().write(makeEvents(0..<3))
        try await makeWriter(rotateAt: 1).write([makeEvent("new")])
        #expect(try names(path) == ["new"])
        #expect(try names("\(path).1") == ["0", "1", "2"])
    }

    @Test("a place that cannot be written is an error, and is tried again each time")
    func unusable() async throws {
        try Files.create(directory("file"), [])
        let path = directory("file/events.jsonl")
        let writer = FileAnalyticsWriter(path: path, rotateAt: 1 << 20, keep: 3)
        for _ in 0..<2 {
            await #expect(throws: FileSystemError.self) { try await writer.write([makeEvent("lost")]) }
        }
        try Files.remove(directory("file"))
        try await writer.write([makeEvent("kept")])
        #expect(try names(path) == ["kept"])
    }

    @Test("a full disk is one error after the other, until it is not full any more")
    func fullDisk() async throws {
        let writer = FileAnalyticsWriter(path: "/dev/full", rotateAt: 1 << 20, keep: 3)
        for _ in 0..<2 {
            let error = await #expect(throws: FileSystemError.self) { try await writer.write([makeEvent()]) }
            #expect(error?.isOutOfSpace == true)
        }
    }

    @Test("a failing disk behind the queue is one line, and its end another")
    func behindTheQueue() async throws {
        try Files.create(directory("file"), [])
        let log = LogRecorder()
        let path = directory("file/events.jsonl")
        let sink = QueuedAnalyticsSink(
            name: "events", writer: FileAnalyticsWriter(path: path, rotateAt: 1 << 20, keep: 3), logger: log.logger)
        sink.start()
        for round in 1...3 {
            sink.log(makeEvent("lost"))
            while sink.dropped[.writeFailed, default: 0] < round { await Task.yield() }
        }
        try Files.remove(directory("file"))
        sink.log(makeEvent("kept"))
        await log.wait(lines: 2)
        await sink.close(within: .seconds(60))
        #expect(try names(path) == ["kept"])
        #expect(log.seen == ["warning: analytics sink fails, events are dropped", "info: analytics sink recovered"])
    }
}
