internal import Concurrency
internal import Configuration
public import Logging

/// A bounded queue in front of a writer, and the one task that empties it.
///
/// `log` only appends under a short lock. Nobody waits for the writer, however slow or broken: what does not fit is
/// dropped and counted by reason.
public final class QueuedAnalyticsSink: AnalyticsSink, AnalyticsReporting {
    private struct State {
        var waiting: [AnalyticsEvent] = []
        /// Those that came before all others, and were set apart so that taking a batch moves none of them.
        var next: ArraySlice<AnalyticsEvent> = []
        /// How many the writer is at.
        var writing = 0
        var isFailing = false
        var isClosed = false
        var worker: Task<Void, Never>?

        var queued: Int { waiting.count + next.count }
    }

    /// How much of the closing deadline the writer has for its usual way, which may be over the network. The rest is
    /// for saving what is left then.
    private static let shareOfWriting = 0.75
    /// How many events a writer gets at a time, which bounds what it makes of them.
    private static let largestBatch = 500

    private let name: String
    private let capacity: Int
    private let writer: any AnalyticsWriter
    private let tally: AnalyticsTally
    private let logger: Logger
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// Makes the queue; events wait in it until `start` is called.
    ///
    /// - Parameters:
    ///   - name: the sink's label, for the log.
    ///   - capacity: how many events may wait.
    ///   - tally: where losses are counted; the writer's.
    public init(
        name: String, capacity: Int = 10_000, writer: any AnalyticsWriter, tally: AnalyticsTally, logger: Logger
    ) {
        self.name = name
        self.capacity = capacity
        self.writer = writer
        self.tally = tally
        self.logger = logger
        (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts the event into the queue, or drops it.
    public func log(_ event: AnalyticsEvent) {
        let refusal: AnalyticsDropReason? = state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.queued < capacity else { return .queueFull }
            state.waiting.append(event)
            return nil
        }
        if let refusal { tally.noteDropped(1, refusal) } else { wake.yield() }
    }

    /// How many events wait in the queue, and what became of the others.
    public var statistics: AnalyticsStatistics {
        let queued = state.withLock(\.queued)
        return AnalyticsStatistics(queued: queued, sent: tally.sent, dropped: tally.dropped)
    }

    /// How many bytes the writer keeps for another try; nil when it keeps none.
    public var backlogBytes: Int? { (writer as? any BacklogReporting)?.backlogBytes }

    /// Whether nothing waits, and the writer is done with all that it was given.
    var isIdle: Bool { state.withLock { $0.queued == 0 && $0.writing == 0 } }

    /// Starts the task that writes. Call once.
    public func start() {
        let worker = Task.detached { [self] in
            for await _ in wakeUps { await writeWaiting() }
            await writeWaiting()
        }
        state.withLock { $0.worker = worker }
    }

    /// Takes no more events and returns when the waiting ones are written, at the latest after `deadline`; what is left
    /// then is dropped and counted, and so is what the writer is at. It is told shortly before, by cancelling its task.
    public func close(within deadline: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
        let worker = state.withLock { state in
            state.isClosed = true
            return state.worker
        }
        wake.finish()
        if let worker {
            let alarm = Task {
                try await clock.sleep(for: deadline * Self.shareOfWriting)
                worker.cancel()
            }
            await worker.end(within: deadline, clock: clock)
            alarm.cancel()
        }
        tally.noteDropped(abandon(), .closed)
    }

    /// The next batch, which the writer is at from now on. Whoever logs waits for the lock, so nothing is copied under
    /// it.
    private func takeBatch() -> [AnalyticsEvent] {
        let batch = state.withLock { state in
            if state.next.isEmpty {
                state.next = state.waiting[...]
                state.waiting = []
            }
            let batch = state.next.prefix(Self.largestBatch)
            state.next = batch.count < state.next.count ? state.next.dropFirst(batch.count) : []
            state.writing = batch.count
            return batch
        }
        return Array(batch)
    }

    /// The writer is done with its batch.
    ///
    /// - Returns: whether it was still waited for.
    @discardableResult
    private func finishBatch() -> Bool {
        state.withLock { state in
            defer { state.writing = 0 }
            return state.writing > 0
        }
    }

    /// - Returns: how many events have not come to their end.
    private func abandon() -> Int {
        state.withLock { state in
            defer { (state.waiting, state.next, state.writing) = ([], [], 0) }
            return state.queued + state.writing
        }
    }

    private func writeWaiting() async {
        while true {
            let batch = takeBatch()
            guard !batch.isEmpty else { return }
            await write(batch)
        }
    }

    private func write(_ batch: [AnalyticsEvent]) async {
        do {
            try await writer.write(batch)
            finishBatch()
            if setFailing(false) { logger.notice("analytics sink recovered", metadata: ["sink": "\(name)"]) }
        } catch {
            if finishBatch() { tally.noteDropped(batch.count, AnalyticsDropReason(writing: error)) }
            guard !(error is CancellationError), setFailing(true) else { return }
            logger.warning(
                "analytics sink fails, events are dropped", metadata: ["sink": "\(name)", "error": "\(error)"])
        }
    }

    /// Whether that is news.
    private func setFailing(_ isFailing: Bool) -> Bool {
        state.withLock { state in
            defer { state.isFailing = isFailing }
            return state.isFailing != isFailing
        }
    }
}

extension QueuedAnalyticsSink {
    /// A sink that writes already, and is closed with the service.
    ///
    /// - Parameter writer: makes the writer, which is to count in this tally.
    static func started(
        name: String, in assembly: Assembly, writer: (AnalyticsTally) -> any AnalyticsWriter
    ) -> QueuedAnalyticsSink {
        let tally = assembly.state(ifUnchanged: .type) { AnalyticsTally() }
        let logger = assembly.resource(Logger.self)
        let sink = QueuedAnalyticsSink(name: name, writer: writer(tally), tally: tally, logger: logger)
        sink.start()
        let environment = assembly.optionalResource(AnalyticsEnvironment.self) ?? AnalyticsEnvironment()
        assembly.onShutdown("sink \(name)") {
            await sink.close(within: SinkFamily.closingDeadline, clock: environment.clock)
        }
        return sink
    }
}
