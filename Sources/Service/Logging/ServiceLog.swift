internal import Concurrency
internal import FileSystem
internal import HTTPServer
package import Logging

/// The service's log on standard output. Callers never wait.
struct ServiceLog: Sendable {
    /// How long the end of the process waits for the last lines to be written.
    private static let patience = Duration.seconds(1)

    let logger: Logger
    /// The least severe messages that are written; it may change.
    let level: AdjustableLogLevel
    private let writer: LogWriter

    init(level: Logger.Level, format: LogFormat = .auto) {
        let level = AdjustableLogLevel(level)
        let writer = LogWriter(format: format.lines()) { try StandardStreams.output($0) }
        logger = Logger(label: "larder") { _ in LineLogHandler(level: level, to: writer) }
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

extension Logger {
    /// A logger that writes JSON lines.
    ///
    /// - Parameter write: takes a whole line with its end; called from any thread.
    package static func jsonLines(level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void) -> Logger {
        Logger(label: "larder") { _ in LineLogHandler(level: level, write: write) }
    }
}

/// The least severe messages that a log takes, which may change while it is in use.
final class AdjustableLogLevel: Sendable {
    private let state: Mutex<Logger.Level>

    init(_ level: Logger.Level) {
        state = Mutex(level)
    }

    /// The level of all loggers that were made with this value and not given one of their own.
    var level: Logger.Level {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Writes messages as lines.
///
/// What the levels mean, wherever the service logs: `critical` ends the process; `error` is for someone to act on,
/// because clients are not served or something was lost; `warning` is degraded and served all the same; `notice` is a
/// transition from one state to another, back to health included; `info` is the access log and other detail, and
/// `debug` is for whoever looks for a fault.
struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let level: AdjustableLogLevel
    /// Set for one logger and its copies, in place of the level of all.
    private var ownLevel: Logger.Level?
    private let format: LogLineFormat
    private let write: @Sendable ([UInt8], Logger.Level) -> Void

    /// Writes what the level lets through.
    init(level: AdjustableLogLevel, to writer: LogWriter) {
        self.level = level
        format = writer.format
        write = { writer.take($0, $1) }
    }

    /// - Parameter write: takes a whole line with its end; called from any thread.
    init(level: AdjustableLogLevel, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.level = level
        format = .json
        self.write = { line, _ in write(line) }
    }

    /// - Parameter write: takes a whole line with its end; called from any thread.
    init(level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.init(level: AdjustableLogLevel(level), write: write)
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
    /// Has what libevent says appear in the service's log, instead of as plain lines on standard error.
    static func redirect(to log: ServiceLog) {
        redirect { severity, message in
            log.logger.log(level: level(severity), "libevent: \(message)")
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
