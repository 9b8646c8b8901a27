public import Logging

/// Keeps what is logged, for tests to look at and to wait for.
public final class LogRecorder: Sendable {
    /// One line of the log.
    public struct Line: Sendable {
        /// The log level.
        public let level: Logger.Level
        /// The message alone.
        public let message: String
        /// The metadata of the logger and of the line.
        public let metadata: [String: String]

        var text: String { "\(level): \(message)" }
    }

    private let all = Observed<[Line]>([])

    /// A recorder without lines.
    public init() {}

    /// A logger whose lines are kept here.
    public var logger: Logger {
        Logger(label: "test") { [self] _ in Handler(recorder: self) }
    }

    /// The lines that an operator sees with the default log level.
    public var seenLines: [Line] { all.value.filter { $0.level >= .info } }

    /// The lines that an operator sees, each as its level and its message: `info: serving`.
    public var seen: [String] { seenLines.map(\.text) }

    /// Counts a line, given as in `seen`.
    public func count(of line: String) -> Int { seen.count { $0 == line } }

    /// The metadata of each occurrence of a line, given as in `seen`.
    public func metadata(of line: String) -> [[String: String]] {
        seenLines.filter { $0.text == line }.map(\.metadata)
    }

    /// Returns as soon as so many lines, of any level, have been logged.
    public func wait(lines count: Int) async {
        await all.wait { $0.count >= count }
    }

    /// Returns as soon as a line, given as in `seen`, has been logged so often.
    public func wait(for line: String, count: Int = 1) async {
        await all.wait { lines in lines.count { $0.text == line } >= count }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let texts = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            let line = Line(level: event.level, message: "\(event.message)", metadata: texts)
            recorder.all.update { $0.append(line) }
        }
    }
}
