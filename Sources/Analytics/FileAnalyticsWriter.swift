internal import FileSystem
internal import FoundationEssentials
internal import JSON
package import Logging

/// Appends events to a file, one JSON object a line, and rotates it by size: `events.jsonl`, `events.jsonl.1`, ….
///
/// A file that another program moved or removed, as logrotate does, is made anew with the next batch. Several sinks and
/// processes may write one file: each batch goes in whole. A process that is killed while it writes may leave a torn
/// line; the next batch begins a new one. A file that cannot be moved aside grows. Only its owner can read the file.
package final class FileAnalyticsWriter: AnalyticsWriter {
    /// Bounds the number of rotated files.
    package static let largestKeep = RotatedFile.highestNumber

    private let tally: AnalyticsTally
    private let disk = BlockingQueue("larder sink file")
    private let file: RotatedFile

    /// Opens nothing yet: a directory that is missing or full must not keep the service from starting.
    ///
    /// - Parameters:
    ///   - rotateAt: bytes from which the file is moved aside; at least one.
    ///   - logger: told when rotation fails and when it works again.
    package init(path: String, rotateAt: Int, keep: Int, tally: AnalyticsTally, logger: Logger) {
        self.tally = tally
        file = RotatedFile(path: path, rotateAt: rotateAt, keep: keep, logger: logger)
    }

    /// Appends the batch, after rotating a file that has its size; throws `FileSystemError`.
    package func write(_ batch: [AnalyticsEvent]) async throws {
        let lines = batch.reduce(into: [UInt8]()) { AnalyticsEventEncoder.append($1, to: &$0) }
        try await disk.run { [file] in try file.append(lines) }
        tally.noteSent(batch.map(\.name))
    }
}

/// Encodes an event as a line of JSON: `{"timestamp":"2026-01-31T12:00:00.123Z","event":"…","parameters":{…}}`.
enum AnalyticsEventEncoder {
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
