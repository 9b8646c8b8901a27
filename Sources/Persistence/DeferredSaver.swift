internal import Concurrency
internal import FoundationEssentials
internal import Health
internal import Logging
internal import Products

/// Saves snapshots in the background, one at a time. While a save runs, only the newest of the others is kept.
///
/// Failing saves are one trouble, from the first failure in a row to the next success. Slow saves, failing or not, are
/// another: from the first that takes over a second to the first success in time.
final class DeferredSaver: Sendable {
    private struct Identity: Equatable {
        let revision: String
        let times: [Date]
        let source: SourceStatement?

        init(_ snapshot: ProductsSnapshot) {
            (revision, times) = (snapshot.revision, [snapshot.fetchedAt, snapshot.checkedAt])
            source = snapshot.source
        }
    }

    private struct State {
        var running: ProductsSnapshot?
        var start = ContinuousClock.now
        /// Counts saves, so that a late alarm does not report the next save.
        var number = 0
        /// Whether the running save has taken longer than the limit.
        var isLate = false
        var waiting: ProductsSnapshot?
        var saved: Identity?
        var isWorking = false
        var isSlow = false
        /// Whether submissions are ignored.
        var isClosed = false
        /// Resumed when nothing is left to save.
        var idlers: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let troubles: StoreTroubles
    private let onSlow: @Sendable () -> Void
    private let save: @Sendable (ProductsSnapshot) async throws -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: a longer save is slow.
    ///   - onSlow: called for each slow save.
    ///   - save: blocks as long as the disk does.
    init(
        limit: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(), logger: Logger,
        troubles: StoreTroubles? = nil, onSlow: @escaping @Sendable () -> Void = {},
        save: @escaping @Sendable (ProductsSnapshot) async throws -> Void
    ) {
        self.limit = limit
        self.clock = clock
        self.logger = logger
        self.troubles = troubles ?? StoreTroubles(logger)
        self.onSlow = onSlow
        self.save = save
    }

    /// The newest submitted snapshot that is not saved yet; nil if there is none.
    var unsaved: ProductsSnapshot? { state.withLock { $0.waiting ?? $0.running } }

    /// The time of the running save so far; zero if there is none.
    var runningTime: Duration {
        state.withLock { $0.running == nil ? .zero : $0.start.duration(to: .now) }
    }

    /// Saves a snapshot in place of a waiting one. The snapshot submitted last is not saved twice.
    func submit(_ snapshot: ProductsSnapshot) {
        let isFirst = state.withLock { state in
            let newest = (state.waiting ?? state.running).map(Identity.init) ?? state.saved
            guard newest != Identity(snapshot), !state.isClosed else { return false }
            state.waiting = snapshot
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard isFirst else { return }
        Task.detached { [self] in
            while let (snapshot, number) = next() { await perform(number, snapshot) }
        }
    }

    /// Returns when every submission is saved or has failed.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isWorking { state.idlers.append(continuation) }
                return !state.isWorking
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Accepts no more submissions, and returns when all are saved or have failed, or after `limit`; then reports what
    /// is not saved.
    func close(within limit: Duration) async {
        state.withLock { $0.isClosed = true }
        await Task { await drain() }.end(within: limit, clock: clock)
        guard let unsaved else { return }
        logger.warning(
            "the newest catalogue is not saved, the disk does not answer",
            metadata: ["revision": "\(unsaved.revision)"])
    }

    private func next() -> (ProductsSnapshot, number: Int)? {
        let (next, idlers) = state.withLock { state in
            state.running = state.waiting
            state.waiting = nil
            state.start = .now
            state.isLate = false
            state.number += 1
            state.isWorking = state.running != nil
            defer { if !state.isWorking { state.idlers = [] } }
            return (state.running.map { ($0, state.number) }, state.isWorking ? [] : state.idlers)
        }
        for idler in idlers { idler.resume() }
        return next
    }

    private func perform(_ number: Int, _ snapshot: ProductsSnapshot) async {
        let alarm = Task.detached { [self] in
            try await clock.sleep(for: limit)
            reportSlow(number)
        }
        var failure: (any Error)?
        do { try await save(snapshot) } catch { failure = error }
        alarm.cancel()
        finish(snapshot, failure)
    }

    private func reportSlow(_ number: Int) {
        let isSlow = state.withLock { state in
            guard state.number == number, state.running != nil else { return false }
            (state.isLate, state.isSlow) = (true, true)
            return true
        }
        guard isSlow else { return }
        troubles.report(.slow, cause: "a save takes longer than \(limit)", ["limit": "\(limit)"])
        onSlow()
    }

    private func finish(_ snapshot: ProductsSnapshot, _ failure: (any Error)?) {
        let isFastAgain = state.withLock { state in
            let isFastAgain = failure == nil && state.isSlow && !state.isLate
            state.saved = failure == nil ? Identity(snapshot) : nil
            state.running = nil
            if isFastAgain { state.isSlow = false }
            return isFastAgain
        }
        troubles.report(.unsaved, cause: failure.map { "\($0)" }, failure.map { ["error": "\($0)"] } ?? [:])
        if isFastAgain { troubles.report(.slow, cause: nil) }
    }
}
