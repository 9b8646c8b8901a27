internal import FileSystem
public import Logging

extension Logger {
    /// The service's log: JSON lines on standard output. A line that cannot be written is lost and hurts nobody.
    public static func larder(level: Logger.Level) -> Logger {
        larder(level: AdjustableLogLevel(level))
    }

    /// The same, with a level that may change.
    static func larder(level: AdjustableLogLevel) -> Logger {
        Logger(label: "larder") { _ in
            JSONLogHandler(level: level) { line in try? StandardStreams.output(line) }
        }
    }
}
