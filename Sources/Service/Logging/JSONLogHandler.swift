internal import FoundationEssentials
internal import JSON
internal import Logging

/// Writes one JSON object a line: time, level, message, and the metadata as members of their own.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let level: AdjustableLogLevel
    /// Set for one logger and its copies, in place of the level of all.
    private var ownLevel: Logger.Level?
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes a whole line with its end; called from any thread.
    init(level: AdjustableLogLevel, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.level = level
        self.write = write
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
        var object: JSONObject = [
            "timestamp": .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "level": .string(event.level.rawValue),
            "message": .string("\(event.message)"),
        ]
        let merged = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in merged.sorted(by: { $0.key < $1.key }) { object[key] = Self.json(value) }
        var bytes: [UInt8] = []
        JSONWriter.append(object, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        write(bytes)
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let string): return .string(string)
        case .stringConvertible(let number as Int): return .number(JSONNumber(number))
        case .stringConvertible(let other): return .string(other.description)
        case .array(let values): return .array(values.map(json))
        case .dictionary(let members):
            var object = JSONObject()
            for (key, value) in members.sorted(by: { $0.key < $1.key }) { object[key] = json(value) }
            return .object(object)
        }
    }
}
