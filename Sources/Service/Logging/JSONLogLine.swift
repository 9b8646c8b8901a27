internal import FoundationEssentials
internal import JSON
internal import Logging

/// A line of the log: one JSON object with its end.
enum JSONLogLine {
    /// The members of every line; metadata of these names get a `_` behind them.
    private static let reserved: Set = ["timestamp", "level", "message"]

    /// Time, level, message, and the metadata as members of their own, in the order of their names.
    static func bytes(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(384)
        bytes += #"{"timestamp":""#.utf8
        bytes += Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).utf8
        bytes += #"","level":""#.utf8
        bytes += level.rawValue.utf8
        bytes += #"","message":"#.utf8
        JSONWriter.append(message, to: &bytes)
        append(metadata, to: &bytes)
        bytes += "}\n".utf8
        return bytes
    }

    private static func append(_ members: Logger.Metadata, to bytes: inout [UInt8]) {
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.append(reserved.contains(key) ? key + "_" : key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(value, to: &bytes)
        }
    }

    private static func append(_ value: Logger.Metadata.Value, to bytes: inout [UInt8]) {
        switch value {
        case .string(let string): JSONWriter.append(string, to: &bytes)
        case .stringConvertible(let number as Int): bytes += String(number).utf8
        case .stringConvertible(let other): JSONWriter.append(json(other), to: &bytes)
        case .array, .dictionary: JSONWriter.append(json(value), to: &bytes)
        }
    }

    private static func json(_ value: any CustomStringConvertible) -> JSONValue {
        switch value {
        case let number as Int: .number(JSONNumber(number))
        case let number as Double: JSONNumber(number).map { .number($0) } ?? .string(number.description)
        default: .string(value.description)
        }
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let string): .string(string)
        case .stringConvertible(let other): json(other)
        case .array(let values): .array(values.map(json))
        case .dictionary(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
        }
    }
}
