internal import Analytics
internal import FileSystem
internal import JSON
internal import TestSupport

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
