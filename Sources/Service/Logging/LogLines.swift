internal import FileSystem
internal import FoundationEssentials
internal import JSON
internal import Logging
internal import Text

/// The setting of the log's form in the config file.
package enum LogFormat: String, Sendable, CaseIterable {
    case auto, json, text

    /// The format of lines on standard output: `auto` is text on a terminal. Colours are for terminals only, and not if
    /// `NO_COLOR` is set.
    func lines(
        isTerminal: Bool = StandardStreams.isOutputTerminal,
        noColor: String? = ProcessInfo.processInfo.environment["NO_COLOR"]
    ) -> LogLineFormat {
        guard self == .text || self == .auto && isTerminal else { return .json }
        return .text(isColoured: isTerminal && (noColor ?? "").isEmpty)
    }
}

/// The form of a log's lines.
enum LogLineFormat: Sendable, Hashable {
    case json
    case text(isColoured: Bool)

    /// Returns one line of the log, with its line break.
    func bytes(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> [UInt8] {
        switch self {
        case .json: JSONLogLine.bytes(level, message, metadata)
        case .text(let isColoured): TextLogLine.bytes(level, message, metadata, isColoured: isColoured)
        }
    }
}

/// A line of the log for people: time in UTC, level, message, and the metadata as `key=value`. A graph's tree follows
/// on separate lines.
enum TextLogLine {
    static func bytes(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, isColoured: Bool
    ) -> [UInt8] {
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).dropFirst(11)
        let name = level.rawValue + String(repeating: " ", count: 8 - level.rawValue.utf8.count)
        let colour = isColoured ? colour(of: level) : nil
        var text = "\(time) \(colour.map { "\u{1b}[\($0)m\(name)\u{1b}[0m" } ?? name) \(escaped(message))"
        var tree = ""
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            if key == "tree" {
                tree = "\(value)".split(separator: "\n").map { "\n    " + escaped(String($0)) }.joined()
            } else {
                text += " \(escaped(key))=\(quoted("\(value)"))"
            }
        }
        return Array((text + tree + "\n").utf8)
    }

    private static func colour(of level: Logger.Level) -> Int? {
        switch level {
        case .trace, .debug: 2
        case .info: nil
        case .notice: 32
        case .warning: 33
        case .error, .critical: 31
        }
    }

    /// The value in quotes unless it is one plain word.
    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { $0 > " " && $0 != "\"" && $0 != "=" }
        return isPlain ? escaped(value) : "\"\(escaped(value, "\"", "\\"))\""
    }

    /// The text without control characters, which could manipulate a terminal.
    private static func escaped(_ text: String, _ others: Unicode.Scalar...) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.isSteering {
                escaped.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
            } else {
                if others.contains(scalar) { escaped.append("\\") }
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

/// A line of the log: one JSON object with its end.
enum JSONLogLine {
    /// The members of every line; metadata of these names get a `_` appended.
    private static let reserved: Set = ["timestamp", "level", "message"]

    /// Time, level, message, and the metadata as members, sorted by name.
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
        return bytes.contains { $0 >= 0x7F } ? escaped(bytes) : bytes
    }

    /// The line with characters that control a terminal escaped; outside of strings JSON is ASCII.
    private static func escaped(_ line: [UInt8]) -> [UInt8] {
        var escaped = ""
        for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
            if scalar.isSteering, scalar != "\n" {
                for unit in scalar.utf16 { escaped += "\\u" + unit.hexDigits }
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return Array(escaped.utf8)
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
