public import Logging

/// Keeps what is logged, for tests to look at and to wait for.
public final class LogRecorder: Sendable {
    /// One line of the log.
    public struct Line: Sendable {
        /// How grave it is.
        public let level: Logger.Level
        /// What it says.
        public let message: String
        /// What is beside that.
        public let metadata: [String: String]
    }

    private let lines = Observed<[Line]>([])

    /// A recorder that has heard nothing yet.
    public init() {}

    /// A logger whose lines are kept here.
    public var logger: Logger {
        Logger(label: "test") { [self] _ in Handler(recorder: self) }
    }

    /// What an operator sees with the default log level, each with its level before it.
    public var seen: [String] {
        lines.value.filter { $0.level >= .info }.map { "\($0.level): \($0.message)" }
    }

    /// The lines that an operator sees, with what is beside the message.
    public var seenLines: [Line] { lines.value.filter { $0.level >= .info } }

    /// Returns as soon as so many lines, of any level, have been logged.
    public func wait(lines count: Int) async {
        await lines.wait { $0.count >= count }
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
            recorder.lines.update { $0.append(line) }
        }
    }
}
