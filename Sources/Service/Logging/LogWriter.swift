internal import API
internal import Concurrency
internal import CoreMetrics
internal import Dispatch
internal import Logging
internal import Prometheus

/// Takes log lines to where they are read, in their order, on a thread of its own: a pipe that nobody reads, or a disk
/// that hangs, stops that thread and nobody who logs.
///
/// What waits is bounded. What does not fit is lost, counted, and told of by a line now and then; a quarter of the room
/// is kept for lines above `info`, so that no access log crowds out what matters.
final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// Whether the thread has been told that there is something to write.
        var isWriting = false
        /// Whether the last line that was written may be but the beginning of one.
        var isTorn = false
        var losses = LogLosses()
        var meter: LogLossMeter?

        mutating func lose(_ count: Int, _ reason: LogLossReason) {
            losses.note(count)
            meter?.note(count, reason)
        }
    }

    /// Enough for some thousand lines.
    private static let usualCapacity = 1 << 20
    /// The form of the lines that come, and of those about losses.
    let format: LogLineFormat
    private let capacity: Int
    private let write: @Sendable ([UInt8]) throws -> Void
    private let now: @Sendable () -> ContinuousClock.Instant
    private let thread = DispatchQueue(label: "log")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: how many bytes may wait.
    ///   - now: what the pauses between lines about losses are measured by.
    ///   - write: takes whole lines to where they are read, however long that takes.
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

    /// Takes a line with its end. Never waits.
    func take(_ line: [UInt8], _ level: Logger.Level) {
        let room = level > .info ? capacity : capacity / 4 * 3
        let isFirst = state.withLock { state in
            guard state.waiting.count + line.count <= room else {
                state.lose(1, .full)
                return false
            }
            state.waiting += line
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { thread.async { [self] in drain() } }
    }

    /// Returns when all that was taken before is written, and false when that did not happen in time. For the end of
    /// the process: the caller's thread waits.
    @discardableResult
    func flush(within limit: Duration) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        thread.async { [self] in
            // Somebody who took the first line may not have told the thread of it yet.
            drain()
            tellLosses(atOnce: true)
            isDone.signal()
        }
        return isDone.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    /// Has losses counted there too, from now on.
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

    /// Nobody tells how much of what failed was written. A line end of its own keeps the next line apart from it.
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
        let count = state.withLock { $0.losses.tellable(at: time, atOnce: atOnce) }
        guard let count else { return }
        do {
            try writeWhole(format.bytes(.warning, "log lines dropped", ["count": .stringConvertible(count)]))
        } catch {
            state.withLock { $0.losses.note(count) }
        }
    }
}

/// How many log lines were lost that nobody was told of, and when somebody was told last.
struct LogLosses: Sendable {
    /// A reader that keeps falling behind is not to be kept busy with being told so.
    static let pause = Duration.seconds(10)

    private var untold = 0
    private var toldAt: ContinuousClock.Instant?

    mutating func note(_ count: Int) {
        untold += count
    }

    /// How many there are to tell of now; they count as told then. Nil when there is none, or it was told just before.
    mutating func tellable(at now: ContinuousClock.Instant, atOnce: Bool) -> Int? {
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

    /// - Parameter factory: where it is recorded.
    init(_ factory: any MetricsFactory) {
        let counters = LogLossReason.allCases.map { reason in
            let dimensions = [("reason", reason.rawValue)]
            let label = MetricDescription.logDropped.seriesName
            return (reason, Counter(label: label, dimensions: dimensions, factory: factory))
        }
        self.counters = Dictionary(uniqueKeysWithValues: counters)
    }

    func note(_ count: Int, _ reason: LogLossReason) { counters[reason]?.increment(by: count) }
}

/// Why a log line was lost. The raw value is a metric's label.
enum LogLossReason: String, Sendable, Hashable, CaseIterable {
    /// Too much waited already for a reader that is slow, or gone.
    case full
    /// The system did not take it.
    case unwritable
}
