internal import TestSupport
internal import Analytics
internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import Testing

@Suite(.timeLimit(.minutes(1)))
struct FileAnalyticsRotationTests {
    private let directory: TemporaryDirectory
    private let tally = AnalyticsTally()
    private let log = LogRecorder()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var path: String { directory("events.jsonl") }

    private func makeWriter(rotateAt: Int = 1 << 20, keep: Int = 3) -> FileAnalyticsWriter {
        FileAnalyticsWriter(path: path, rotateAt: rotateAt, keep: keep, tally: tally, logger: log.logger)
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

    @Test("a file that cannot be moved aside goes on to grow, which is said once, and so is its end")
    func stuckRotation() async throws {
        let writer = makeWriter(rotateAt: 1, keep: 1)
        try Files.createDirectories("\(path).1")
        for event in makeEvents(0..<3) { try await writer.write([event]) }
        #expect(try names(path) == ["0", "1", "2"])
        #expect(tally.sent.count == 3)
        #expect(log.seen == ["warning: analytics file cannot be rotated and grows"])
        try Files.rename("\(path).1", to: directory("aside"))
        for event in makeEvents(3..<5) { try await writer.write([event]) }
        #expect(try names(path) == ["4"])
        #expect(try names("\(path).1") == ["3"])
        #expect(
            log.seen == [
                "warning: analytics file cannot be rotated and grows", "info: analytics file is rotated again",
            ])
    }

    @Test("a rotation that gets stuck half-way costs no file that was rotated before")
    func halfRotation() async throws {
        let writer = makeWriter(rotateAt: 1, keep: 3)
        for event in makeEvents(0..<3) { try await writer.write([event]) }
        try Files.createDirectories("\(path).3/x")
        for event in makeEvents(3..<6) { try await writer.write([event]) }
        #expect(try names(path) == ["2", "3", "4", "5"])
        #expect(try names("\(path).1") == ["1"])
        #expect(try names("\(path).2") == ["0"])
    }

    @Test("what is moved aside fills a gap before what is older has to go")
    func gap() async throws {
        let writer = makeWriter(rotateAt: 1, keep: 3)
        for event in makeEvents(0..<4) { try await writer.write([event]) }
        try Files.remove("\(path).1")
        try await writer.write([makeEvent("4")])
        #expect(try ["", ".1", ".2", ".3"].map { try names("\(path)\($0)") } == [["4"], ["3"], ["1"], ["0"]])
    }

    @Test("a file that had its size when the service started is moved at the first event")
    func restart() async throws {
        try await makeWriter().write(makeEvents(0..<3))
        try await makeWriter(rotateAt: 1).write([makeEvent("new")])
        #expect(try names(path) == ["new"])
        #expect(try names("\(path).1") == ["0", "1", "2"])
    }

    @Test("when fewer are to stay than before, the others go; what has a number of somebody else's stays")
    func fewer() async throws {
        for number in 1...5 { try Files.create("\(path).\(number)", []) }
        for other in ["20260131", "07", "x", "1.gz"] { try Files.create("\(path).\(other)", []) }
        let writer = makeWriter(rotateAt: 1, keep: 2)
        for event in makeEvents(0..<2) { try await writer.write([event]) }
        let expected = ["", ".07", ".1", ".1.gz", ".2", ".20260131", ".x"].map { "events.jsonl\($0)" }
        #expect(try Files.list(directory.path) == expected)
    }
}
