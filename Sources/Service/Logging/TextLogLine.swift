internal import FileSystem
internal import FoundationEssentials
internal import Logging

/// The setting of the log's form in the config file.
package enum LogFormat: String, Sendable, CaseIterable {
    case auto, json, text

    /// The form of lines on standard output: `auto` is text on a terminal. Colours are for terminals only, and not where
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

    /// A line with its end.
    func bytes(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> [UInt8] {
        switch self {
        case .json: JSONLogLine.bytes(level, message, metadata)
        case .text(let isColoured): TextLogLine.bytes(level, message, metadata, isColoured: isColoured)
        }
    }
}

/// A line of the log for people: time in UTC, level, message, and the metadata as `key=value`. A graph's tree follows on
/// lines of its own.
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

    /// The text without control characters, by which a client or an upstream could change what the terminal shows.
    private static func escaped(_ text: String, _ others: Unicode.Scalar...) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                escaped.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
            default:
                if others.contains(scalar) { escaped.append("\\") }
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
