import Concurrency
import JSON
import Logging
import Testing

@testable import Service

@Suite struct JSONLogHandlerTests {
    /// The lines that a logger with this handler writes.
    private func written(level: Logger.Level = .info, _ log: (inout Logger) -> Void) -> [[UInt8]] {
        let lines = LineRecorder()
        var logger = Logger.jsonLines(level: level) { lines.record($0) }
        log(&logger)
        return lines.recorded
    }

    @Test func `a message is one line of JSON, whatever it holds`() throws {
        let message = "first\nsecond\r\u{2028}\u{0} \"quoted\" \\ é"
        let lines = written { $0.warning("\(message)", metadata: ["path": "/a\nb"]) }
        #expect(lines.count == 1)
        #expect(lines[0].filter { $0 == UInt8(ascii: "\n") }.count == 1)
        #expect(lines[0].last == UInt8(ascii: "\n"))
        let object = try #require(try JSONParser().parse(lines[0]).object)
        #expect(object.members.map(\.key) == ["timestamp", "level", "message", "path"])
        #expect(object["level"]?.string == "warning")
        #expect(object["message"]?.string == message)
        #expect(object["path"]?.string == "/a\nb")
    }

    @Test func `the time is RFC 3339 in UTC with milliseconds`() throws {
        let line = try #require(written { $0.info("now") }.first)
        let time = try #require(try JSONParser().parse(line).object?["timestamp"]?.string)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test func `metadata become members in the order of their names, the line's before the logger's`() throws {
        let lines = written { logger in
            logger[metadataKey: "b"] = "logger"
            logger[metadataKey: "a"] = "logger"
            logger.info("x", metadata: ["b": "line", "n": .stringConvertible(7), "list": ["x", ["k": "v"]]])
        }
        let object = try #require(try JSONParser().parse(lines[0]).object)
        #expect(object.members.dropFirst(3).map(\.key) == ["a", "b", "list", "n"])
        #expect(object["a"] == "logger")
        #expect(object["b"] == "line")
        #expect(object["n"]?.number?.integer == 7)
        #expect(object["list"] == .array(["x", .object(["k": "v"])]))
    }

    @Test func `metadata do not replace the members of every line`() throws {
        let line = try #require(
            written { $0.info("x", metadata: ["message": "y", "level": "z", "ms": .stringConvertible(0.5)]) }.first)
        let object = try #require(try JSONParser().parse(line).object)
        #expect(object.members.map(\.key) == ["timestamp", "level", "message", "level_", "message_", "ms"])
        #expect(object["message"] == "x")
        #expect(object["level_"] == "z")
        #expect(object["ms"]?.number?.double == 0.5)
    }

    @Test func `lines below the level are dropped`() {
        let lines = written(level: .warning) { logger in
            logger.notice("no")
            logger.warning("yes")
        }
        #expect(lines.count == 1)
    }

    @Test func `a changed level holds for all loggers without a level of their own`() {
        let lines = LineRecorder()
        let level = AdjustableLogLevel(.warning)
        let logger = Logger(label: "test") { _ in LineLogHandler(level: level) { line, _ in lines.record(line) } }
        var own = logger
        own.logLevel = .error
        logger.info("no")
        level.level = .debug
        logger.debug("yes")
        own.warning("no")
        #expect(logger.logLevel == .debug)
        #expect(own.logLevel == .error)
        #expect(lines.recorded.count == 1)
    }
}

@Suite struct TextLogLineTests {
    private func line(_ metadata: Logger.Metadata, isColoured: Bool = false) -> String {
        let line = LogLineFormat.text(isColoured: isColoured).bytes(.warning, "refresh failed", metadata)
        return String(decoding: line.dropFirst("13:30:00.000Z ".utf8.count), as: UTF8.self)
    }

    @Test func `a line for people has level, message, plain and quoted values, and a tree on lines of its own`() {
        let metadata: Logger.Metadata = [
            "age": .stringConvertible(7), "error": "no \"route\"", "tree": "a (memory)\n└─ b: http\n", "x": "",
        ]
        #expect(
            line(metadata) == """
                warning  refresh failed age=7 error="no \\"route\\"" x=""
                    a (memory)
                    └─ b: http

                """)
    }

    @Test func `control characters do not reach a terminal`() {
        #expect(
            line(["path": "/a\n\u{1b}[2J\u{9b}\u{202e}"]) == """
                warning  refresh failed path="/a\\n\\u{1B}[2J\\u{009B}\\u{202E}"

                """)
    }

    @Test func `what would steer a terminal is escaped in JSON as well`() throws {
        let path = "/a\n\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041} ü 🇩🇪"
        let bytes = LogLineFormat.json.bytes(.warning, "refresh failed", ["path": "\(path)", "list": ["\u{2066}"]])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""path":"/a\n\u001b[2J\u007f\u009b\u202e\u2028\udb40\udc41 ü 🇩🇪""#))
        #expect(text.contains(#""list":["\u2066"]"#))
        #expect(try JSONParser().parse(bytes.dropLast()).object?["path"]?.string == path)
    }

    @Test func `only terminals get colours, and none with NO_COLOR`() {
        #expect(line([:], isColoured: true) == "\u{1b}[33mwarning \u{1b}[0m refresh failed\n")
        #expect(LogFormat.auto.lines(isTerminal: true, noColor: nil) == .text(isColoured: true))
        #expect(LogFormat.auto.lines(isTerminal: true, noColor: "1") == .text(isColoured: false))
        #expect(LogFormat.auto.lines(isTerminal: false, noColor: nil) == .json)
        #expect(LogFormat.text.lines(isTerminal: false, noColor: nil) == .text(isColoured: false))
        #expect(LogFormat.json.lines(isTerminal: true, noColor: nil) == .json)
    }
}

/// Records the lines of a handler.
final class LineRecorder: Sendable {
    private let lines = Mutex<[[UInt8]]>([])

    var recorded: [[UInt8]] { lines.withLock { $0 } }

    func record(_ line: [UInt8]) {
        lines.withLock { $0.append(line) }
    }
}
