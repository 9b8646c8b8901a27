internal import Concurrency
internal import FileSystem
internal import HTTPServer
package import Logging

/// The service's log: JSON lines on standard output. Logging never waits.
struct ServiceLog: Sendable {
    /// The longest wait for the last lines at the end of the process.
    private static let timeout = Duration.seconds(1)

    let logger: Logger
    let level: AdjustableLogLevel
    private let writer: LogWriter

    init(level: Logger.Level, format: LogFormat = .auto) {
        let level = AdjustableLogLevel(level)
        let format = format.lines()
        let writer = LogWriter(format: format) { try StandardStreams.output($0) }
        logger = Logger(label: "larder") { _ in LineLogHandler(level: level, format: format) { writer.append($0, $1) } }
        self.level = level
        self.writer = writer
    }

    func report(to meter: LogLossMeter) {
        writer.report(to: meter)
    }

    /// Waits until the log is written, for at most a second. To be called before the process ends.
    func flush() {
        writer.flush(within: Self.timeout)
    }
}

extension Logger {
    /// A logger that writes JSON lines.
    ///
    /// - Parameter write: writes a whole line with its end; called from any thread.
    package static func jsonLines(level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void) -> Logger {
        Logger(label: "larder") { _ in LineLogHandler(level: AdjustableLogLevel(level)) { line, _ in write(line) } }
    }
}

/// The least severe level of a log, which may change while it is in use.
final class AdjustableLogLevel: Sendable {
    private let state: Mutex<Logger.Level>

    init(_ level: Logger.Level) {
        state = Mutex(level)
    }

    /// The level of all loggers without their own.
    var level: Logger.Level {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Writes messages as lines.
///
/// The levels of the service: `critical` ends the process; `error` requires action, because clients are not served or
/// something was lost; `warning` is degraded but served; `notice` is a change of state, including recovery; `info` is
/// the access log and other detail; `debug` is for diagnosis.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let level: AdjustableLogLevel
    /// Set for one logger and its copies, in place of the common level.
    private var ownLevel: Logger.Level?
    private let format: LogLineFormat
    private let write: @Sendable ([UInt8], Logger.Level) -> Void

    /// - Parameter write: writes a whole line with its end; called from any thread.
    init(
        level: AdjustableLogLevel, format: LogLineFormat = .json,
        write: @escaping @Sendable ([UInt8], Logger.Level) -> Void
    ) {
        self.level = level
        self.format = format
        self.write = write
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? level.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = event.metadata ?? [:]
        if !metadata.isEmpty { all.merge(metadata) { own, _ in own } }
        write(format.bytes(event.level, "\(event.message)", all), event.level)
    }
}

extension LibeventLog {
    /// Redirects libevent's messages from standard error to the service's log.
    static func redirect(to logger: Logger, _ log: ServiceLog) {
        redirect { severity, message in
            logger.log(level: level(severity), "libevent: \(message)")
            if severity == .fatal { log.flush() }
        }
    }

    private static func level(_ severity: Severity) -> Logger.Level {
        switch severity {
        case .debug: .debug
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .fatal: .critical
        }
    }
}
