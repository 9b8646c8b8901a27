internal import Concurrency
internal import CoreMetrics
internal import Dispatch
internal import Logging
internal import OperatorsAPI
internal import Prometheus

/// Writes log lines in order on a thread of its own: a blocked pipe or disk blocks only that thread.
///
/// The queue is bounded. Lines that do not fit are dropped and counted, and the log reports their number. A quarter of
/// the queue is reserved for lines above `info`, so that the access log does not crowd them out.
final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// Whether the thread has been woken.
        var isWriting = false
        /// Whether the last written line may be incomplete.
        var isTorn = false
        var losses = LogLosses()
        var meter: LogLossMeter?

        mutating func lose(_ count: Int, _ reason: LogLossReason) {
            losses.record(count)
            meter?.record(count, reason)
        }
    }

    /// Enough for some thousand lines.
    private static let usualCapacity = 1 << 20
    /// The format of the lines, and of those about losses.
    let format: LogLineFormat
    private let capacity: Int
    private let write: @Sendable ([UInt8]) throws -> Void
    private let now: @Sendable () -> ContinuousClock.Instant
    private let thread = DispatchQueue(label: "log")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: the most bytes in the queue.
    ///   - now: measures the pauses between lines about losses.
    ///   - write: writes whole lines, and may block.
    init(
        format: LogLineFormat = .json, capacity: Int = usualCapacity,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        to write: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.format = format
        self.capacity = capacity
        self.now = now
        self.write = write
    }

    /// Queues a line with its end. Does not wait.
    func append(_ line: [UInt8], _ level: Logger.Level) {
        let limit = level > .info ? capacity : capacity / 4 * 3
        let isFirst = state.withLock { state in
            guard state.waiting.count + line.count <= limit else {
                state.lose(1, .full)
                return false
            }
            state.waiting += line
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { thread.async { [self] in drain() } }
    }

    /// Blocks until all earlier lines are written, at the end of the process; false if that took too long.
    @discardableResult
    func flush(within limit: Duration) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        thread.async { [self] in
            // The thread may not have been woken for the first line yet.
            drain()
            tellLosses(atOnce: true)
            isDone.signal()
        }
        return isDone.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    /// Counts losses in metrics as well.
    func report(to meter: LogLossMeter) {
        state.withLock { $0.meter = meter }
    }

    private func drain() {
        while let lines = nextLines() {
            put(lines)
            tellLosses(atOnce: false)
        }
    }

    private func nextLines() -> [UInt8]? {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            defer { state.waiting = [] }
            return state.isWriting ? state.waiting : nil
        }
    }

    private func put(_ lines: [UInt8]) {
        do {
            try writeWhole(lines)
        } catch {
            let count = lines.count { $0 == UInt8(ascii: "\n") }
            state.withLock { $0.lose(count, .unwritable) }
        }
    }

    /// A failed write may have written a part. An extra line end separates the next line from it.
    private func writeWhole(_ lines: [UInt8]) throws {
        let isTorn = state.withLock { state in
            defer { state.isTorn = true }
            return state.isTorn
        }
        try write(isTorn ? [UInt8(ascii: "\n")] + lines : lines)
        state.withLock { $0.isTorn = false }
    }

    private func tellLosses(atOnce: Bool) {
        let time = now()
        let count = state.withLock { $0.losses.due(at: time, atOnce: atOnce) }
        guard let count else { return }
        do {
            try writeWhole(format.bytes(.warning, "log lines dropped", ["count": .stringConvertible(count)]))
        } catch {
            state.withLock { $0.losses.record(count) }
        }
    }
}

/// Counts the lost log lines that have not been reported.
struct LogLosses: Sendable {
    /// The least time between reports, so that they do not keep a slow reader busy.
    static let pause = Duration.seconds(10)

    private var untold = 0
    private var toldAt: ContinuousClock.Instant?

    mutating func record(_ count: Int) {
        untold += count
    }

    /// The number to report now, which then counts as reported. Nil without losses, and shortly after a report.
    mutating func due(at now: ContinuousClock.Instant, atOnce: Bool) -> Int? {
        if let toldAt, !atOnce, now - toldAt < Self.pause { return nil }
        guard untold > 0 else { return nil }
        defer { untold = 0 }
        toldAt = now
        return untold
    }
}

/// Counts lost log lines, by reason.
struct LogLossMeter: Sendable {
    private let counters: [LogLossReason: Counter]

    init(_ factory: any MetricsFactory) {
        counters = MetricDescription.logDropped.counters(by: "reason", in: factory)
    }

    func record(_ count: Int, _ reason: LogLossReason) { counters[reason]?.increment(by: count) }
}

/// The reason for the loss of a log line, by its label in metrics.
enum LogLossReason: String, Sendable, Hashable, CaseIterable {
    /// The queue was full, because the reader is slow or gone.
    case full
    /// The write failed.
    case unwritable
}
