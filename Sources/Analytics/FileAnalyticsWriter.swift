public import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import JSON
public import Logging

/// Appends events to a file, one JSON object a line, and rotates it by size: `events.jsonl`, `events.jsonl.1`, ….
///
/// A file that somebody else moved away or removed, as logrotate does, is made anew with the next batch. Several sinks
/// and processes may write one file: each batch goes in whole. Whoever is killed while it writes may leave a torn line,
/// which stays one: the next batch begins a new line. A file that cannot be moved aside goes on to grow. The file is for
/// its owner alone.
public final class FileAnalyticsWriter: AnalyticsWriter {
    /// `type: file` in the `analytics:` section.
    public static let spec = ComponentSpec<SinkFamily>(
        type: "file",
        summary: "appends one JSON object a line to a file that is rotated by size",
        fields: [
            .required("path", .path, "the file; its directory is made when missing"),
            .defaulted("rotate_at", .size, "64MiB", "the size from which the file is moved aside"),
            .defaulted("keep", .integer, "3", "how many rotated files stay"),
        ],
        example: "{ type: file, path: /var/lib/larder/events.jsonl, rotate_at: 64MiB, keep: 3 }",
        plan: { reader in
            let path = reader.path("path")
            let rotateAt = reader.size("rotate_at", in: 1...)
            let keep = reader.integer("keep", in: 0...RotatedFile.highestNumber)
            let name = reader.name
            return { assembly in
                var logger = assembly.resource(Logger.self)
                logger[metadataKey: "sink"] = "\(name)"
                return QueuedAnalyticsSink.started(name: name, in: assembly) { [logger] tally in
                    FileAnalyticsWriter(path: path, rotateAt: rotateAt, keep: keep, tally: tally, logger: logger)
                }
            }
        })

    private let tally: AnalyticsTally
    private let disk = BlockingQueue("larder sink file")
    private let file: RotatedFile

    /// Opens nothing yet: a directory that is missing or full must not keep the service from starting.
    ///
    /// - Parameters:
    ///   - rotateAt: the size in bytes from which the file is moved aside; at least one.
    ///   - keep: how many rotated files stay.
    ///   - tally: where events that are written are counted.
    ///   - logger: is told when the file can be rotated no more, and when it can again.
    public init(path: String, rotateAt: Int, keep: Int, tally: AnalyticsTally, logger: Logger) {
        self.tally = tally
        file = RotatedFile(path: path, rotateAt: rotateAt, keep: keep, logger: logger)
    }

    /// Appends the batch, after rotating a file that has its size; throws `FileSystemError`.
    public func write(_ batch: [AnalyticsEvent]) async throws {
        let lines = batch.reduce(into: [UInt8]()) { AnalyticsEventEncoder.append($1, to: &$0) }
        try await disk.run { [file] in try file.append(lines) }
        tally.noteSent(batch.map(\.name))
    }
}

/// One event as one line of JSON: `{"timestamp":"2026-01-31T12:00:00.123Z","event":"…","parameters":{…}}`.
enum AnalyticsEventEncoder {
    /// Appends the line, with its line end.
    static func append(_ event: AnalyticsEvent, to bytes: inout [UInt8]) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let line: JSONObject = [
            "timestamp": .string(event.timestamp.formatted(style)),
            "event": .string(event.name),
            "parameters": .object(event.parameters),
        ]
        JSONWriter.append(line, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}
