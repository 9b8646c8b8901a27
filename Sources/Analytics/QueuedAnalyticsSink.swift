internal import Concurrency
package import Health
package import Logging

/// A bounded queue in front of a writer, emptied by one task.
///
/// `log` only appends under a short lock and never waits for the writer, however slow or broken: events that do not fit
/// are dropped and counted by reason. Counts and metrics may be read at any time, from any thread, without waiting for
/// a disk. They only grow, also over a reload.
package final class QueuedAnalyticsSink: AnalyticsSink, TroubleReporting {
    private struct State {
        var waiting: [AnalyticsEvent] = []
        /// The oldest events, set apart so that taking a batch moves no others.
        var next: ArraySlice<AnalyticsEvent> = []
        /// Size of the batch that the writer has.
        var writing = 0
        var isClosed = false

        var queued: Int { waiting.count + next.count }
    }

    /// Share of the closing deadline for regular writing, which may use the network. The rest is for saving the
    /// remaining events.
    private static let shareOfWriting = 0.75
    /// Bounds the memory that a writer needs for a batch.
    private static let largestBatch = 500
    /// Pause after a batch of several events. A batch costs system calls and thread switches, whatever its size, so
    /// under load few large batches leave more time for requests.
    private static let gathering = Duration.milliseconds(10)

    private let name: String
    private let capacity: Int
    private let writer: any AnalyticsWriter
    private let tally: AnalyticsTally
    private let troubleLog: AnalyticsTroubles
    private let state = Mutex(State())
    private let worker = WokenTask()

    /// Makes the queue; events wait in it until `start` is called.
    ///
    /// - Parameter capacity: events that may wait.
    package init(
        name: String, capacity: Int = 10_000, writer: any AnalyticsWriter, tally: AnalyticsTally, logger: Logger
    ) {
        self.name = name
        self.capacity = capacity
        self.writer = writer
        self.tally = tally
        troubleLog = AnalyticsTroubles(logger)
    }

    package func log(_ event: AnalyticsEvent) {
        let (refusal, isFirst) = state.withLock { state -> (AnalyticsDropReason?, isFirst: Bool) in
            guard !state.isClosed else { return (.closed, false) }
            let queued = state.queued
            guard queued < capacity else { return (.queueFull, false) }
            state.waiting.append(event)
            return (nil, queued == 0)
        }
        if let refusal { tally.recordDropped(1, refusal) }
        if isFirst { worker.wake() }
    }

    /// The number of events in the queue, and the counts of the others.
    package var statistics: AnalyticsStatistics {
        let queued = state.withLock(\.queued)
        return AnalyticsStatistics(queued: queued, sent: tally.sent, dropped: tally.dropped)
    }

    /// Bytes that the writer keeps for another try; nil for a writer that keeps none.
    package var backlogBytes: Int? { writer.backlogBytes }

    /// Troubles of the sink and of its writer.
    package var troubles: [Trouble] {
        troubleLog.troubles + ((writer as? any TroubleReporting)?.troubles ?? [])
    }

    /// Whether the queue is empty and the writer has returned.
    var isIdle: Bool { state.withLock { $0.queued == 0 && $0.writing == 0 } }

    /// Starts the task that writes. Call once.
    package func start() {
        worker.start { [self] in await writeWaiting() }
    }

    /// Accepts no more events, and returns when the waiting ones are written, at the latest after `deadline`. The rest,
    /// including the writer's batch, is then dropped and counted. The writer's task is cancelled shortly before.
    package func close(within deadline: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
        state.withLock { $0.isClosed = true }
        await worker.close(within: deadline, timeout: deadline * Self.shareOfWriting, clock: clock)
        tally.recordDropped(abandon(), .closed)
    }

    /// Takes the next batch for the writer. Callers of `log` wait for the lock, so nothing is copied under it.
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

    /// Records that the writer has returned.
    ///
    /// - Returns: false if its batch has already been counted as lost.
    @discardableResult
    private func finishBatch() -> Bool {
        state.withLock { state in
            defer { state.writing = 0 }
            return state.writing > 0
        }
    }

    /// Empties the queue.
    ///
    /// - Returns: the number of events that were not written.
    private func abandon() -> Int {
        state.withLock { state in
            defer { (state.waiting, state.next, state.writing) = ([], [], 0) }
            return state.queued + state.writing
        }
    }

    private func writeWaiting() async {
        while case let batch = takeBatch(), !batch.isEmpty {
            await write(batch)
            if (2..<Self.largestBatch).contains(batch.count), !worker.isClosed {
                try? await Task.sleep(for: Self.gathering)
            }
        }
    }

    private func write(_ batch: [AnalyticsEvent]) async {
        do {
            try await writer.write(batch)
            finishBatch()
            troubleLog.report(.failing, cause: nil, ["sink": "\(name)"])
        } catch {
            if finishBatch() { tally.recordDropped(batch.count, AnalyticsDropReason(writing: error)) }
            guard !(error is CancellationError) else { return }
            troubleLog.report(.failing, cause: "\(error)", ["sink": "\(name)", "error": "\(error)"])
        }
    }
}
