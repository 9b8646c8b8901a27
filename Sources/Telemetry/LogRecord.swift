internal import Concurrency
internal import JSON
internal import Logging
internal import Text
internal import Tracing

/// A line of the log, as the collector gets it.
struct LogRecord: OTLPRecord {
    static var signal: OTLPSignal { .logs }

    /// In nanoseconds since 1970.
    let time: Int64
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
    /// The identifiers of the span that was under way, or else the trace alone that the metadata name.
    let traceID: String?
    let spanID: UInt64?

    init(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, at time: Int64) {
        (self.level, self.message, self.metadata, self.time) = (level, message, metadata, time)
        let span = Span.current
        traceID = span?.context.traceID ?? metadata["trace_id"].map { "\($0)" }
        spanID = span?.id
    }

    var json: JSONObject {
        var json: JSONObject = [
            "timeUnixNano": .nanoseconds(time), "observedTimeUnixNano": .nanoseconds(time),
            "severityNumber": .count(level.severity), "severityText": .string(level.rawValue),
            "body": .attribute(.string(message)), "attributes": .attributes(metadata),
        ]
        if let traceID { json["traceId"] = .string(traceID) }
        if let spanID { json["spanId"] = .string(spanID.hexDigits) }
        return json
    }
}

extension Logger.Level {
    /// The number in the data model of OpenTelemetry, where `notice` is the second of four levels of `info`.
    fileprivate var severity: Int {
        switch self {
        case .trace: 1
        case .debug: 5
        case .info: 9
        case .notice: 10
        case .warning: 13
        case .error: 17
        case .critical: 21
        }
    }
}

/// Writes lines to a log, and records them for the collector. What a line says is already without secrets.
struct ExportedLogHandler: LogHandler {
    var upstream: any LogHandler
    let records: OTLPQueue<LogRecord>
    let wallClock: WallClock

    var logLevel: Logger.Level {
        get { upstream.logLevel }
        set { upstream.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { upstream.metadata }
        set { upstream.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { upstream[metadataKey: key] }
        set { upstream[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        upstream.log(event: event)
        guard records.isOpen else { return }
        let all = upstream.metadata.merging(event.metadata ?? [:]) { $1 }
        records.record(LogRecord(event.level, "\(event.message)", all, at: wallClock.nanoseconds))
    }
}
