internal import Concurrency
internal import Hashing
internal import Products

/// Refreshes the catalogue repeatedly after a webhook, since shops send the hook before their API shows the change.
///
/// A series of looks begins at once, and ends when the catalogue has changed or the pauses are used up. If the last
/// look fails, further ones follow after the last pause, as many as there are pauses. Hooks that arrive during a series
/// are covered by its later looks. After a hook in the pause before the last look, the looks after the other pauses
/// follow. After a hook during or after the last look, another series follows, which waits for the first pause, so that
/// any number of hooks within that pause cause one look per pause and one at the beginning.
final class HookSeries: Sendable {
    /// The end of a series.
    enum End: Sendable {
        /// A catalogue with this revision came.
        case changed(revision: String)
        case unchanged
        /// The last look failed.
        case failed(ProductsFailure)
    }

    /// Reports the end of a series, and the number of looks.
    typealias Report = @Sendable (_ looks: Int, _ end: End) -> Void

    private let pauses: [Duration]
    private let clock: any Clock<Duration>
    private let refresh: @Sendable () async -> [RefreshResult]
    private let report: Report
    /// Whether a hook came after the last look began.
    private let isDue = Mutex(false)
    private let unfinished: UnfinishedSeries
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - pauses: the time before each look but the first.
    ///   - unfinished: the state of the series before a reload.
    ///   - refresh: asks the upstream once.
    init(
        pauses: [Duration], clock: any Clock<Duration>, unfinished: UnfinishedSeries = UnfinishedSeries(),
        refresh: @escaping @Sendable () async -> [RefreshResult], report: @escaping Report = { _, _ in }
    ) {
        self.unfinished = unfinished
        (self.pauses, self.clock, self.refresh, self.report) = (pauses, clock, refresh, report)
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts a series. Returns at once.
    func begin() {
        isDue.withLock { $0 = true }
        unfinished.isBegun.withLock { $0 = true }
        wake.yield()
    }

    /// Carries out the series, until the task is cancelled. Begins with a series if a reload has cancelled one.
    func run() async throws {
        if unfinished.isBegun.withLock(\.self) { begin() }
        for await _ in wakes where takeDue() {
            unfinished.isBegun.withLock { $0 = true }
            var next = [.zero] + pauses
            while !next.isEmpty {
                let isOwed = try await look(after: next)
                next = takeDue() ? pauses : isOwed ? Array(pauses.dropFirst()) : []
            }
            unfinished.isBegun.withLock { $0 = false }
        }
    }

    private func takeDue() -> Bool {
        isDue.withLock { isDue in
            defer { isDue = false }
            return isDue
        }
    }

    /// Looks after each pause until there is a revision other than those before the first look.
    /// - Returns: whether a hook came in the last pause: its shop may show the change later than the last look.
    private func look(after pauses: [Duration]) async throws -> Bool {
        var known: Set<String> = []
        var (pauses, looks, further) = (pauses, 0, self.pauses.count)
        var (isLate, failure) = (false, ProductsFailure?.none)
        while looks < pauses.count {
            let pause = pauses[looks]
            if pause > .zero { try await clock.sleep(for: pause) }
            isLate = takeDue() && pause > .zero
            // A refresh may wait for its upstream longer than a shutdown allows.
            guard let results = await firstOutcome(of: refresh) else { throw CancellationError() }
            // A first catalogue is not a change: it may be older than the hook.
            if known.isEmpty { known = Set(results.compactMap { ($0.before ?? $0.after)?.revision }) }
            if let new = results.compactMap({ $0.after?.revision }).first(where: { !known.contains($0) }) {
                report(looks + 1, .changed(revision: new))
                return isLate
            }
            looks += 1
            failure = results.lazy.compactMap(\.failure).first
            if looks == pauses.count, failure.map(Self.isWorthAnother) == true, further > 0, let last = self.pauses.last
            {
                pauses.append(last)
                further -= 1
            }
        }
        report(looks, failure.map(End.failed) ?? .unchanged)
        return isLate
    }

    /// Whether another look may succeed. A refused catalogue has been received.
    private static func isWorthAnother(_ failure: ProductsFailure) -> Bool {
        if case .refused = failure { false } else { true }
    }
}

/// Carries an unfinished series over a reload.
final class UnfinishedSeries: Sendable {
    fileprivate let isBegun = Mutex(false)
}

/// Remembers deliveries for a time. Beyond some thousands the oldest are forgotten.
final class ReplayMemory: Sendable {
    private struct Memory {
        var known: Set<SHA256Digest> = []
        /// The known deliveries, oldest first.
        var order: [(delivery: SHA256Digest, at: Duration)] = []

        mutating func forget(_ count: Int) {
            for (delivery, _) in order.prefix(count) { known.remove(delivery) }
            order.removeFirst(count)
        }
    }

    private let capacity: Int
    private let memory: TimedState<Memory>

    init(capacity: Int = 4096, clock: some Clock<Duration>) {
        self.capacity = capacity
        memory = TimedState(Memory(), clock: clock)
    }

    /// Records a delivery.
    /// - Returns: whether it is new.
    func remember(_ delivery: SHA256Digest, for window: Duration) -> Bool {
        memory.update { memory, now in
            memory.forget(memory.order.prefix { now - $0.at >= window }.count)
            guard memory.known.insert(delivery).inserted else { return false }
            memory.order.append((delivery, now))
            memory.forget(max(0, memory.order.count - capacity))
            return true
        }
    }
}
