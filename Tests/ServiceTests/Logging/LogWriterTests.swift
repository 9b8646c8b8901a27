@testable import OperatorsAPI
@testable import Prometheus
import FileSystem
import JSON
import Logging
import TestSupport
import Testing

@testable import Service

/// The reader of a log, which may stop reading, or fail.
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

@Suite(.timeLimit(.minutes(1)))
struct LogWriterTests {
    private let reader = Reader()

    private func writer(capacity: Int = 100) -> LogWriter {
        LogWriter(capacity: capacity, to: reader.take)
    }

    private func bytes(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

    /// The counts in the lines that report losses.
    private var told: [Int] {
        reader.lines.compactMap { line in
            let object = try? JSONParser().parse(Array(line.utf8)).object
            #expect(object == nil || object?["message"] == "log lines dropped" && object?["level"] == "warning")
            return object?["count"]?.number?.integer
        }
    }

    @Test func `lines are written in order, and flushing waits for them`() {
        let writer = writer(capacity: 1 << 20)
        for number in 0..<1000 { writer.append(bytes("\(number)"), .info) }
        #expect(writer.flush(within: .seconds(20)))
        #expect(reader.lines == (0..<1000).map(String.init))
    }

    @Test func `a reader that stops reading blocks nobody, and lost lines are counted and reported`() throws {
        let writer = writer()
        reader.gate.close()
        let line = bytes(String(repeating: "x", count: 9))
        for _ in 0..<1000 { writer.append(line, .warning) }
        #expect(!writer.flush(within: .milliseconds(1)))
        reader.gate.open()
        #expect(writer.flush(within: .seconds(20)))
        let kept = reader.lines.count { $0.hasPrefix("x") }
        #expect((10...20).contains(kept))
        #expect(told.reduce(0, +) == 1000 - kept)
    }

    @Test func `the access log leaves room for warnings`() {
        let writer = writer()
        reader.gate.close()
        writer.append(bytes("first"), .error)
        let line = bytes(String(repeating: "i", count: 9))
        for _ in 0..<100 { writer.append(line, .info) }
        writer.append(bytes("warning"), .warning)
        writer.append(bytes("notice"), .notice)
        reader.gate.open()
        #expect(writer.flush(within: .seconds(20)))
        #expect(reader.lines.first == "first")
        #expect(reader.lines.filter { !$0.hasPrefix("{") }.suffix(2) == ["warning", "notice"])
        #expect((6...14).contains(reader.lines.count { $0.hasPrefix("i") }))
    }

    @Test func `the line after a torn one begins on a line of its own`() {
        let written = Shared([UInt8]())
        let room = Shared(5)
        let writer = LogWriter { bytes in
            let taken = bytes.prefix(room.withLock { $0 })
            written.withLock { $0 += taken }
            if taken.count < bytes.count { throw FileSystemError(.write, path: "test", code: 28) }
        }
        writer.append(bytes("torn line"), .error)
        #expect(writer.flush(within: .seconds(20)))
        room.withLock { $0 = 1 << 20 }
        writer.append(bytes("whole"), .error)
        writer.append(bytes("next"), .error)
        #expect(writer.flush(within: .seconds(20)))
        let lines = String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix("{") && !$0.isEmpty }.last == "next")
        #expect(lines.contains("whole"))
    }

    @Test func `lines that cannot be written are counted by reason`() async throws {
        let registry = MetricsRegistry(known: MetricDescription.known)
        let writer = writer()
        writer.report(to: LogLossMeter(registry))
        reader.breaks(true)
        writer.append(bytes("lost"), .error)
        #expect(writer.flush(within: .seconds(20)))
        writer.append(bytes(String(repeating: "x", count: 100)), .error)
        reader.breaks(false)
        writer.append(bytes("kept"), .error)
        #expect(writer.flush(within: .seconds(20)))
        #expect(reader.lines.first == "kept")
        #expect(told.reduce(0, +) == 2)
        let exposed = try ExposedMetrics(MetricsWriter.text(of: await registry.families()))
        #expect(exposed["larder_log_dropped_total"]?.help == "Lines of the log that were lost, by reason.")
        #expect(exposed.value("larder_log_dropped_total", ["reason": "unwritable"]) == 1)
        #expect(exposed.value("larder_log_dropped_total", ["reason": "full"]) == 1)
    }
}

@Suite struct LogLossesTests {
    private let start = ContinuousClock.now

    @Test func `losses are reported at once, then after a pause, and at the end all that are left`() {
        var losses = LogLosses()
        #expect(losses.due(at: start, atOnce: false) == nil)
        losses.record(1)
        #expect(losses.due(at: start, atOnce: false) == 1)
        losses.record(2)
        #expect(losses.due(at: start + LogLosses.pause - .nanoseconds(1), atOnce: false) == nil)
        losses.record(3)
        #expect(losses.due(at: start + LogLosses.pause, atOnce: false) == 5)
        #expect(losses.due(at: start + LogLosses.pause * 3, atOnce: false) == nil)
        losses.record(4)
        _ = losses.due(at: start + LogLosses.pause * 3, atOnce: false)
        losses.record(4)
        #expect(losses.due(at: start + LogLosses.pause * 3, atOnce: true) == 4)
        #expect(losses.due(at: start + LogLosses.pause * 3, atOnce: true) == nil)
    }
}
