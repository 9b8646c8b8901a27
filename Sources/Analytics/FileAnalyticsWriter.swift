internal import FileSystem
internal import FoundationEssentials
package import Health
internal import JSON
package import Logging

/// Appends events to a file, one JSON object a line, and rotates it by size: `events.jsonl`, `events.jsonl.1`, ….
///
/// A file that another program moved or removed, as logrotate does, is created again with the next batch. Several sinks
/// and processes may write one file: each batch is appended whole. A process that is killed while it writes may leave a
/// torn line; the next batch begins a new one. A file that cannot be moved aside grows. Only its owner can read the
/// file.
package final class FileAnalyticsWriter: AnalyticsWriter, TroubleReporting {
    /// Bounds the number of rotated files.
    package static let largestKeep = RotatedFile.highestNumber

    private let tally: AnalyticsTally
    private let disk = BlockingQueue("larder sink file")
    private let file: RotatedFile

    /// Opens nothing yet, since a missing or full directory must not prevent the start of the service.
    ///
    /// - Parameters:
    ///   - rotateAt: bytes from which the file is moved aside; at least one.
    ///   - logger: logs when rotation fails and when it works again.
    package init(path: String, rotateAt: Int, keep: Int, tally: AnalyticsTally, logger: Logger) {
        self.tally = tally
        file = RotatedFile(path: path, rotateAt: rotateAt, keep: keep, logger: logger)
    }

    /// Whether the file cannot be rotated.
    package var troubles: [Trouble] { file.troubles.troubles }

    /// A batch that cannot be written is lost.
    package var backlogBytes: Int? { nil }

    /// Appends the batch, after rotating a file that has reached its size; throws `FileSystemError`.
    package func write(_ batch: [AnalyticsEvent]) async throws {
        let lines = AnalyticsEventEncoder.lines(of: batch)
        try await disk.run { [file] in try file.append(lines) }
        tally.recordSent(batch.map(\.name))
    }
}

/// Encodes events as lines of JSON: `{"timestamp":"2026-01-31T12:00:00.123Z","event":"…","parameters":{…}}`.
///
/// Under load the events of a batch are equal and milliseconds apart, so the last line is kept: the next may differ in
/// only three digits.
struct AnalyticsEventEncoder {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    /// The longest of usual lines.
    private static let usualLength = 128
    /// Seconds since the reference date.
    private var second = -Double.infinity
    /// The part of lines before the milliseconds.
    private var head: [UInt8] = []
    private var content: AnalyticsEvent.Content?
    private var line: [UInt8] = []

    static func lines(of events: [AnalyticsEvent]) -> [UInt8] {
        var (encoder, lines) = (AnalyticsEventEncoder(), [UInt8]())
        lines.reserveCapacity(events.count * usualLength)
        for event in events { encoder.append(event, to: &lines) }
        return lines
    }

    private mutating func append(_ event: AnalyticsEvent, to bytes: inout [UInt8]) {
        let time = event.timestamp.timeIntervalSinceReferenceDate
        let second = time.rounded(.down)
        if second != self.second {
            self.second = second
            let text = event.timestamp.formatted(Self.style)
            head = Array(#"{"timestamp":"\#(text.dropLast("000Z".count))"#.utf8)
            content = nil
        }
        if event.content !== content {
            content = event.content
            line = head + #"000Z","event":"#.utf8
            JSONWriter.append(event.name, to: &line)
            line += #","parameters":"#.utf8
            JSONWriter.append(event.parameters, to: &line)
            line += "}\n".utf8
        }
        // Through nanoseconds, as in the date style, so that a time has the same digits in every line.
        let milliseconds = Int((time - second) * 1e9) / 1_000_000
        for (place, unit) in [100, 10, 1].enumerated() {
            line[head.count + place] = UInt8(ascii: "0") + UInt8(milliseconds / unit % 10)
        }
        bytes += line
    }
}
