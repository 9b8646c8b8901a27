public import Logging
internal import Locks

/// A bounded queue in front of a writer, and the one task that empties it.
///
/// `log` only appends under a short lock. Nobody waits for the writer, however slow or broken: what does not fit is
/// dropped and counted by reason.
public final class QueuedAnalyticsSink: AnalyticsSink {
    fileprivate struct State {
        var waiting: [AnalyticsEvent] = []
        var dropped: [AnalyticsDropReason: Int] = [:]
        var isFailing = false
        var isClosed = false
        var worker: Task<Void, Never>?
    }

    private let name: String
    private let capacity: Int
    private let writer: any AnalyticsWriter
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// Makes the queue; events wait in it until `start` is called.
    ///
    /// - Parameters:
    ///   - name: the sink's label, for the log.
    ///   - capacity: how many events may wait.
    public init(name: String, capacity: Int = 10_000, writer: any AnalyticsWriter, logger: Logger) {
        self.name = name
        self.capacity = capacity
        self.writer = writer
        self.logger = logger
        (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts the event into the queue, or drops it.
    public func log(_ event: AnalyticsEvent) {
        let accepted = state.withLock { state in
            guard !state.isClosed else { return state.drop(1, .closed) }
            guard state.waiting.count < capacity else { return state.drop(1, .queueFull) }
            state.waiting.append(event)
            return true
        }
        if accepted { wake.yield() }
    }

    /// How many events were lost so far, by reason.
    public var dropped: [AnalyticsDropReason: Int] { state.withLock(\.dropped) }

    /// Starts the task that writes. Call once.
    public func start() {
        let worker = Task.detached { [self] in
            for await _ in wakeUps { await writeWaiting() }
            await writeWaiting()
            dropWaiting()
        }
        state.withLock { $0.worker = worker }
    }

    /// Takes no more events and returns when the waiting ones are written, at the latest after `deadline`; what is left
    /// then is dropped and counted.
    public func close(within deadline: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
        let worker = state.withLock { state in
            state.isClosed = true
            return state.worker
        }
        wake.finish()
        guard let worker else { return dropWaiting() }
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let alarm = Task {
            try await clock.sleep(for: deadline)
            worker.cancel()
            end.finish()
        }
        Task {
            await worker.value
            end.finish()
        }
        // In a task of its own, so that a cancelled caller does not cut the flushing short.
        await Task { for await _ in ends {} }.value
        alarm.cancel()
        dropWaiting()
    }

    private func dropWaiting() {
        state.withLock { state in
            _ = state.drop(state.waiting.count, .closed)
            state.waiting = []
        }
    }

    private func writeWaiting() async {
        while !Task.isCancelled {
            let batch = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            guard !batch.isEmpty else { return }
            await write(batch)
        }
    }

    private func write(_ batch: [AnalyticsEvent]) async {
        do {
            try await writer.write(batch)
            let recovered = state.withLock { $0.noteSuccess() }
            if recovered { logger.info("analytics sink recovered", metadata: ["sink": "\(name)"]) }
        } catch {
            let isNews = state.withLock { $0.noteFailure(of: batch.count) }
            guard isNews else { return }
            logger.warning(
                "analytics sink fails, events are dropped", metadata: ["sink": "\(name)", "error": "\(error)"])
        }
    }
}

extension QueuedAnalyticsSink.State {
    /// Counts lost events. Always `false`, so that a caller can return it as "not accepted".
    fileprivate mutating func drop(_ count: Int, _ reason: AnalyticsDropReason) -> Bool {
        if count > 0 { dropped[reason, default: 0] += count }
        return false
    }

    /// Whether this success ends a row of failures.
    fileprivate mutating func noteSuccess() -> Bool {
        defer { isFailing = false }
        return isFailing
    }

    /// Whether this failure begins a row of failures.
    fileprivate mutating func noteFailure(of count: Int) -> Bool {
        _ = drop(count, .writeFailed)
        defer { isFailing = true }
        return !isFailing
    }
}
