internal import Concurrency
internal import FoundationEssentials
internal import Logging
internal import Products

/// Saves snapshots in the background, one at a time. While a save runs, only the newest of the others is kept for it.
///
/// The first failure of a row is a warning, and the first success after it a notice. Slow saves, whether they fail or
/// not, have a pair of messages of their own: the first that takes longer than a second, and the first success in time.
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
        /// Counts saves, so that a late alarm does not report the next one.
        var number = 0
        /// Whether the running save has taken longer than the limit.
        var isLate = false
        var waiting: ProductsSnapshot?
        var saved: Identity?
        var isWorking = false
        var isSlow = false
        var isFailing = false
        /// Resumed when nothing is left to save.
        var idlers: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let onSlow: @Sendable () -> Void
    private let save: @Sendable (ProductsSnapshot) async throws -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: a save that takes longer is slow.
    ///   - onSlow: called for each slow save.
    ///   - save: may take as long as the disk does.
    init(
        limit: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(), logger: Logger,
        onSlow: @escaping @Sendable () -> Void = {}, save: @escaping @Sendable (ProductsSnapshot) async throws -> Void
    ) {
        self.limit = limit
        self.clock = clock
        self.logger = logger
        self.onSlow = onSlow
        self.save = save
    }

    /// The newest snapshot that was submitted and is not saved yet; nil when none is left.
    var unsaved: ProductsSnapshot? { state.withLock { $0.waiting ?? $0.running } }

    /// The time that the running save has taken so far; zero without one.
    var runningTime: Duration {
        state.withLock { $0.running == nil ? .zero : $0.start.duration(to: .now) }
    }

    /// Saves a snapshot in the place of one that still waits. The one that was submitted last is not saved twice.
    func submit(_ snapshot: ProductsSnapshot) {
        let isFirst = state.withLock { state in
            let newest = (state.waiting ?? state.running).map(Identity.init) ?? state.saved
            guard newest != Identity(snapshot) else { return false }
            state.waiting = snapshot
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard isFirst else { return }
        Task.detached { [self] in
            while let (snapshot, number) = next() { await perform(number, snapshot) }
        }
    }

    /// Returns when everything that was submitted is saved or has failed.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isWorking { state.idlers.append(continuation) }
                return !state.isWorking
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Returns when everything that was submitted is saved or has failed, at the latest after `limit`; reports what is
    /// not saved then.
    func drain(within limit: Duration) async {
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
        let (isSlow, isFirst) = state.withLock { state in
            guard state.number == number, state.running != nil else { return (false, false) }
            state.isLate = true
            defer { state.isSlow = true }
            return (true, !state.isSlow)
        }
        if isFirst { logger.warning("saving the catalogue is slow", metadata: ["limit": "\(limit)"]) }
        if isSlow { onSlow() }
    }

    private func finish(_ snapshot: ProductsSnapshot, _ failure: (any Error)?) {
        let (wasFailing, isFastAgain) = state.withLock { state in
            let wasFailing = state.isFailing
            let isFastAgain = failure == nil && state.isSlow && !state.isLate
            state.saved = failure == nil ? Identity(snapshot) : nil
            state.running = nil
            state.isFailing = failure != nil
            if isFastAgain { state.isSlow = false }
            return (wasFailing, isFastAgain)
        }
        if let failure, !wasFailing {
            logger.warning("products are served but cannot be saved", metadata: ["error": "\(failure)"])
        }
        if failure == nil, wasFailing { logger.notice("store recovered") }
        if isFastAgain { logger.notice("saving the catalogue is fast again") }
    }
}
