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
        let lines = AnalyticsEventEncoder.lines(of: batch)
        try await disk.run { [file] in try file.append(lines) }
        tally.noteSent(batch.map(\.name))
    }
}

/// Encodes events as lines of JSON: `{"timestamp":"2026-01-31T12:00:00.123Z","event":"…","parameters":{…}}`.
///
/// Under load the events of a batch are alike and come within milliseconds, so the parts of the last line are kept.
struct AnalyticsEventEncoder {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private var millisecond = -Double.infinity
    private var timestamp: [UInt8] = []
    private var last: AnalyticsEvent?
    private var rest: [UInt8] = []

    static func lines(of events: [AnalyticsEvent]) -> [UInt8] {
        var (encoder, lines) = (AnalyticsEventEncoder(), [UInt8]())
        for event in events { encoder.append(event, to: &lines) }
        return lines
    }

    private mutating func append(_ event: AnalyticsEvent, to bytes: inout [UInt8]) {
        let millisecond = (event.timestamp.timeIntervalSince1970 * 1000).rounded(.down)
        if millisecond != self.millisecond {
            self.millisecond = millisecond
            let text = event.timestamp.formatted(Self.style)
            timestamp = Self.open(["timestamp": .string(text)])
        }
        if event.name != last?.name || event.parameters != last?.parameters {
            last = event
            rest = Self.open(["event": .string(event.name), "parameters": .object(event.parameters)])
        }
        bytes.append(UInt8(ascii: "{"))
        bytes += timestamp
        bytes.append(UInt8(ascii: ","))
        bytes += rest
        bytes += "}\n".utf8
    }

    /// The members of an object, without the braces around them.
    private static func open(_ object: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(object, to: &bytes)
        return Array(bytes.dropFirst().dropLast())
    }
}
