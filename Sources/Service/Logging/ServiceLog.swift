internal import FileSystem
internal import Logging

/// The service's log: JSON lines on standard output. Who logs never waits.
struct ServiceLog: Sendable {
    /// How long the end of the process waits for the last lines to be written.
    private static let patience = Duration.seconds(1)

    let logger: Logger
    /// Which messages are written; it may change.
    let level: AdjustableLogLevel
    private let writer: LogWriter

    init(level: Logger.Level) {
        let level = AdjustableLogLevel(level)
        let writer = LogWriter { try StandardStreams.output($0) }
        logger = Logger(label: "larder") { _ in JSONLogHandler(level: level, to: writer) }
        self.level = level
        self.writer = writer
    }

    /// Has lost lines counted there from now on.
    func report(to meter: LogLossMeter) {
        writer.report(to: meter)
    }

    /// Returns when what was logged is written, at the latest after a second. To be called before the process ends.
    func flush() {
        writer.flush(within: Self.patience)
    }
}
