import FileSystem
import JSON
import Logging
import TestSupport
import Testing

@testable import Service

/// Where a writer writes to: whoever reads there may stop reading, or refuse.
private final class Reader: Sendable {
    let gate = Gate()
    private let state = Shared((bytes: [UInt8](), isBroken: false))

    var lines: [String] {
        state.withLock { String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    func breaks(_ isBroken: Bool) {
        state.withLock { $0.isBroken = isBroken }
    }

    func take(_ bytes: [UInt8]) throws {
        gate.pass()
        let isBroken = state.withLock { state in
            if !state.isBroken { state.bytes += bytes }
            return state.isBroken
        }
        if isBroken { throw FileSystemError(.write, path: "test", code: 32) }
    }
}

@Suite("Writing the log", .timeLimit(.minutes(1)))
struct LogWriterTests {
    private let reader = Reader()

    private func writer(capacity: Int = 100) -> LogWriter {
        LogWriter(capacity: capacity, to: reader.take)
    }

    private func bytes(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

    /// The counts of the lines that tell of losses.
    private var told: [Int] {
        reader.lines.compactMap { line in
            let object = try? JSONParser().parse(Array(line.utf8)).object
            #expect(object == nil || object?["message"] == "log lines dropped" && object?["level"] == "warning")
            return object?["count"]?.number?.integer
        }
    }

    @Test("Lines are written in their order, and flushing waits for them")
    func order() {
        let writer = writer(capacity: 1 << 20)
        for number in 0..<1000 { writer.take(bytes("\(number)"), .info) }
        #expect(writer.flush(within: .seconds(20)))
        #expect(reader.lines == (0..<1000).map(String.init))
    }

    @Test("Nobody waits for a reader that has stopped reading; what does not fit is counted, and told when it reads on")
    func stuckReader() throws {
        let writer = writer()
        reader.gate.close()
        let line = bytes(String(repeating: "x", count: 9))
        for _ in 0..<1000 { writer.take(line, .warning) }
        #expect(!writer.flush(within: .milliseconds(1)))
        reader.gate.open()
        #expect(writer.flush(within: .seconds(20)))
        let kept = reader.lines.count { $0.hasPrefix("x") }
        #expect((10...20).contains(kept))
        #expect(told.reduce(0, +) == 1000 - kept)
    }

    @Test("Room that is left for what matters is not for the access log")
    func roomForWarnings() {
        let writer = writer()
        reader.gate.close()
        writer.take(bytes("first"), .error)
        let line = bytes(String(repeating: "i", count: 9))
        for _ in 0..<100 { writer.take(line, .info) }
        writer.take(bytes("warning"), .warning)
        writer.take(bytes("notice"), .notice)
        reader.gate.open()
        #expect(writer.flush(within: .seconds(20)))
        #expect(reader.lines.first == "first")
        #expect(reader.lines.filter { !$0.hasPrefix("{") }.suffix(2) == ["warning", "notice"])
        #expect((6...14).contains(reader.lines.count { $0.hasPrefix("i") }))
    }

    @Test("After a line of which only the beginning was written, the next one begins a new line")
    func torn() {
        let written = Shared([UInt8]())
        let room = Shared(5)
        let writer = LogWriter { bytes in
            let taken = bytes.prefix(room.withLock { $0 })
            written.withLock { $0 += taken }
            if taken.count < bytes.count { throw FileSystemError(.write, path: "test", code: 28) }
        }
        writer.take(bytes("torn line"), .error)
        #expect(writer.flush(within: .seconds(20)))
        room.withLock { $0 = 1 << 20 }
        writer.take(bytes("whole"), .error)
        writer.take(bytes("next"), .error)
        #expect(writer.flush(within: .seconds(20)))
        let lines = String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix("{") && !$0.isEmpty }.last == "next")
        #expect(lines.contains("whole"))
    }

    @Test("What the system does not take is lost and counted by reason, and hurts nobody")
    func broken() async throws {
        let registry = MetricsRegistry()
        let writer = writer()
        writer.report(to: LogLossMeter(registry))
        reader.breaks(true)
        writer.take(bytes("lost"), .error)
        #expect(writer.flush(within: .seconds(20)))
        writer.take(bytes(String(repeating: "x", count: 100)), .error)
        reader.breaks(false)
        writer.take(bytes("kept"), .error)
        #expect(writer.flush(within: .seconds(20)))
        #expect(reader.lines.first == "kept")
        #expect(told.reduce(0, +) == 2)
        let exposed = try ExposedMetrics(MetricsWriter.text(of: await registry.families(), in: .text), .text)
        #expect(exposed["larder_log_dropped_total"]?.help == "Lines of the log that were lost, by reason.")
        #expect(exposed.value("larder_log_dropped_total", ["reason": "unwritable"]) == 1)
        #expect(exposed.value("larder_log_dropped_total", ["reason": "full"]) == 1)
    }
}
