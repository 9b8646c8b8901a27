internal import Logging

/// Writes one JSON object a line: time, level, message, and the metadata as members of their own.
///
/// What the levels mean, wherever the service logs: `critical` ends the process; `error` is for someone to act on,
/// because clients are not served or something was lost; `warning` is degraded and served all the same; `notice` is a
/// transition from one state to another, back to health included; `info` is the access log and other detail, and
/// `debug` is for whoever looks for a fault.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let level: AdjustableLogLevel
    /// Set for one logger and its copies, in place of the level of all.
    private var ownLevel: Logger.Level?
    private let write: @Sendable ([UInt8], Logger.Level) -> Void

    /// Writes what the level lets through.
    init(level: AdjustableLogLevel, to writer: LogWriter) {
        self.level = level
        write = { writer.take($0, $1) }
    }

    /// - Parameter write: takes a whole line with its end; called from any thread.
    init(level: AdjustableLogLevel, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.level = level
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
        write(JSONLogLine.bytes(event.level, "\(event.message)", all), event.level)
    }
}
