internal import TestSupport
internal import Analytics
internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import Testing

@Suite(.timeLimit(.minutes(1)))
struct FileAnalyticsRotationTests {
    private let fixture: FileAnalyticsFixture

    init() throws {
        fixture = try FileAnalyticsFixture()
    }

    @Test(arguments: [(3, ["5", "4", "3", "2", nil]), (1, ["5", "4", nil]), (0, ["5", nil])] as [(Int, [String?])])
    func `a file that has its size is moved aside, and the oldest goes`(keep: Int, expected: [String?]) async throws {
        let writer = fixture.makeWriter(rotateAt: 1, keep: keep)
        for event in makeEvents(0..<6) { try await writer.write([event]) }
        let paths = [fixture.path] + (1..<expected.count).map { "\(fixture.path).\($0)" }
        #expect(try paths.map { try fixture.names($0) } == expected.map { name in name.map { [$0] } })
    }

    @Test func `a file is not moved before it has its size`() async throws {
        let size = #"{"timestamp":"2026-01-31T12:00:00.000Z","event":"0","parameters":{}}"#.utf8.count + 1
        let writer = fixture.makeWriter(rotateAt: 2 * size, keep: 3)
        for event in makeEvents(0..<5) { try await writer.write([event]) }
        #expect(try fixture.names(fixture.path) == ["4"])
        #expect(try fixture.names("\(fixture.path).1") == ["2", "3"])
        #expect(try fixture.names("\(fixture.path).2") == ["0", "1"])
    }

    @Test
    func `a file that cannot be moved aside goes on to grow, which is said once, and so is its end`() async throws {
        let writer = fixture.makeWriter(rotateAt: 1, keep: 1)
        try Files.createDirectories("\(fixture.path).1")
        for event in makeEvents(0..<3) { try await writer.write([event]) }
        #expect(try fixture.names(fixture.path) == ["0", "1", "2"])
        #expect(fixture.tally.sent.count == 3)
        #expect(fixture.log.seen == ["warning: analytics file cannot be rotated and grows"])
        try Files.rename("\(fixture.path).1", to: fixture.directory("aside"))
        for event in makeEvents(3..<5) { try await writer.write([event]) }
        #expect(try fixture.names(fixture.path) == ["4"])
        #expect(try fixture.names("\(fixture.path).1") == ["3"])
        #expect(
            fixture.log.seen == [
                "warning: analytics file cannot be rotated and grows", "notice: analytics file is rotated again",
            ])
    }

    @Test func `a rotation that gets stuck half-way costs no file that was rotated before`() async throws {
        let writer = fixture.makeWriter(rotateAt: 1, keep: 3)
        for event in makeEvents(0..<3) { try await writer.write([event]) }
        try Files.createDirectories("\(fixture.path).3/x")
        for event in makeEvents(3..<6) { try await writer.write([event]) }
        #expect(try fixture.names(fixture.path) == ["2", "3", "4", "5"])
        #expect(try fixture.names("\(fixture.path).1") == ["1"])
        #expect(try fixture.names("\(fixture.path).2") == ["0"])
    }

    @Test func `what is moved aside fills a gap before what is older has to go`() async throws {
        let writer = fixture.makeWriter(rotateAt: 1, keep: 3)
        for event in makeEvents(0..<4) { try await writer.write([event]) }
        try Files.remove("\(fixture.path).1")
        try await writer.write([makeEvent("4")])
        #expect(
            try ["", ".1", ".2", ".3"].map { try fixture.names("\(fixture.path)\($0)") } == [
                ["4"], ["3"], ["1"], ["0"],
            ])
    }

    @Test func `a file that had its size when the service started is moved at the first event`() async throws {
        try await fixture.makeWriter().write(makeEvents(0..<3))
        try await fixture.makeWriter(rotateAt: 1).write([makeEvent("new")])
        #expect(try fixture.names(fixture.path) == ["new"])
        #expect(try fixture.names("\(fixture.path).1") == ["0", "1", "2"])
    }

    @Test
    func `when fewer are to stay than before, the others go; what has a number of somebody else's stays`() async throws
    {
        for number in 1...5 { try Files.create("\(fixture.path).\(number)", []) }
        for other in ["20260131", "07", "x", "1.gz"] { try Files.create("\(fixture.path).\(other)", []) }
        let writer = fixture.makeWriter(rotateAt: 1, keep: 2)
        for event in makeEvents(0..<2) { try await writer.write([event]) }
        let expected = ["", ".07", ".1", ".1.gz", ".2", ".20260131", ".x"].map { "events.jsonl\($0)" }
        #expect(try Files.list(fixture.directory.path) == expected)
    }
}

/// A directory in which writers write one file, and what is in it.
struct FileAnalyticsFixture {
    let directory: TemporaryDirectory
    let tally = AnalyticsTally()
    let log = LogRecorder()

    init() throws {
        directory = try TemporaryDirectory()
    }

    var path: String { directory("events.jsonl") }

    func makeWriter(rotateAt: Int = 1 << 20, keep: Int = 3) -> FileAnalyticsWriter {
        FileAnalyticsWriter(path: path, rotateAt: rotateAt, keep: keep, tally: tally, logger: log.logger)
    }

    func lines(_ path: String) throws -> [String] {
        String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The names of the events in a file; nil when it is not there.
    func names(_ path: String) throws -> [String]? {
        guard Files.exists(path) else { return nil }
        return try lines(path).map { line in
            try JSONParser().parse(Array(line.utf8)).object?["event"]?.string ?? "no event"
        }
    }
}
