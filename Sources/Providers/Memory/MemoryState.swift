internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import Tracing

/// The state and the decisions of `memory` for one variant, without tasks and clocks: the time is a parameter.
struct MemoryState: Sendable {
    enum Decision: Sendable {
        /// This answer at once; with `refreshing`, a refresh is started behind it.
        case answer(ProductsAnswer, refreshing: Bool)
        /// The outcome of the refresh, which is started unless one runs.
        case wait
        /// Nothing can be served and the upstream must not be asked yet.
        case refuse(ProductsFailure)
    }

    /// In seconds. A store keeps times to the millisecond, so a smaller difference does not make a snapshot newer.
    private static let timeResolution = 0.001
    private(set) var policy: FreshnessPolicy
    private(set) var node: String
    private(set) var holdOff: HoldOff
    /// The failure of the last refresh; nil while the upstream works.
    private(set) var failure: ProductsFailure?
    /// The first failure in a row, by its time, and the last that tells how the upstream fails.
    private var failures: (since: Date, telling: ProductsFailure)?
    /// The condition after the last refresh.
    private var condition = MemoryCondition.well
    private(set) var snapshot: ProductsSnapshot?
    /// Whether the snapshot is meant for other requests; see ``ProductsAnswer/isForOthers``.
    private var isBorrowed = false
    /// Whether the snapshot could not be compared; see ``ProductsAnswer/isUnchecked``.
    private(set) var isUnchecked = false
    /// Whether the upstream is another one than before the reload and has not been asked yet.
    private var isDue = false
    /// Whether a request has given up waiting for the refresh that runs.
    private(set) var isLate = false
    /// The uptime of the last failure, as long as `failure` is set.
    private var failedAt: Duration = .zero
    /// The uptime when the snapshot was fetched.
    private var takenAt = Duration.zero
    /// The answers to requests that need not wait, made once per refresh and not once per request.
    var fresh: ProductsAnswer?
    var stale: ProductsAnswer?

    init(policy: FreshnessPolicy, node: String) {
        self.policy = policy
        self.node = node
        holdOff = HoldOff(base: policy.holdOff, cap: policy.longestHoldOff)
    }

    /// Returns a copy for a changed `memory` after a reload. The pause is over, since the upstream may be another one.
    ///
    /// - Parameter isDue: whether the upstream is to be asked at once, behind the first answer.
    func copied(_ policy: FreshnessPolicy, node: String, isDue: Bool) -> MemoryState {
        var copy = self
        copy.policy = policy
        copy.node = node
        copy.holdOff = HoldOff(base: policy.holdOff, cap: policy.longestHoldOff)
        copy.isLate = false
        copy.isDue = isDue
        copy.prepareAnswers()
        return copy
    }

    /// Decides for a request that comes at `wall` (for ages) and `uptime` (for pauses).
    func decide(wall: Date, uptime: Duration) -> Decision {
        guard let fresh, let stale, let serving = serving(wall: wall, uptime: uptime) else { return ask(uptime) }
        return .answer(serving.isStale ? stale : fresh, refreshing: serving.isRefreshDue)
    }

    /// Returns the way to serve the snapshot without waiting; nil if the upstream has to be asked first.
    func serving(wall: Date, uptime: Duration) -> CataloguePublication.Serving? {
        guard let snapshot else { return nil }
        let stage = stage(of: snapshot, wall, uptime)
        if failure != nil { return servingOffline(stage, uptime) }
        return switch stage {
        case .fresh: CataloguePublication.Serving(isStale: false, isRefreshDue: isDue)
        case .revalidating: CataloguePublication.Serving(isStale: true, isRefreshDue: true)
        case .stale where isLate: CataloguePublication.Serving(isStale: true, isRefreshDue: false)
        case .stale, .expired: nil
        }
    }

    /// Returns the time until a background refresh is due: until freshness ends, or the pause does.
    ///
    /// It counts from the last success and not by the snapshot's age, because an upstream that always gives old snapshots
    /// would be asked without end.
    func nextRefresh(uptime: Duration) -> Duration {
        if let pause = holdOff.remaining(at: uptime) { return pause }
        guard failure == nil, snapshot != nil, !isDue else { return .zero }
        return max(.zero, takenAt + policy.ttl - uptime)
    }

    /// Records the outcome of a refresh.
    ///
    /// An answer with a failure on its trail came from a fallback: the upstream still fails, and the answer is kept only
    /// if it is newer than the snapshot here. A catalogue that is meant for other requests does not replace one that is
    /// not, as long as that one may be served.
    mutating func finish(
        _ result: Result<ProductsAnswer, ProductsFailure>, wall: Date, uptime: Duration
    ) -> MemoryTransition {
        let cause = Self.cause(of: result)
        if case .success(let answer) = result,
            cause == nil || isBetter(answer.snapshot, isBorrowed: answer.isForOthers, wall, uptime)
        {
            take(answer, uptime)
        }
        failure = cause
        failures = cause.map { [failures] cause in
            // An open breaker hides how the upstream fails, so the failure that opened it is kept.
            if case .circuitOpen = cause, let failures { return failures }
            return (failures?.since ?? wall, cause)
        }
        isDue = false
        isLate = false
        if let cause {
            holdOff.fail(at: uptime, retryAfter: cause.retryAfter)
            failedAt = uptime
        } else {
            holdOff.succeed()
        }
        prepareAnswers()
        let before = condition
        condition = condition(wall, uptime)
        return MemoryTransition(from: before, to: condition, failure: cause)
    }

    /// Records that the refresh takes longer than requests wait for.
    ///
    /// - Returns: whether there is something to serve meanwhile.
    mutating func fallBehind(wall: Date, uptime: Duration) -> Bool {
        isLate = true
        prepareAnswers()
        return snapshot.map { stage(of: $0, wall, uptime) != .expired } ?? false
    }

    /// Returns why refreshes fail; nil while they do not.
    func trouble(uptime: Duration, isRefreshing: Bool) -> UpstreamTrouble? {
        let pause = holdOff.remaining(at: uptime) ?? (policy.refreshesInBackground ? .zero : nil)
        return failures.map { since, failure in
            UpstreamTrouble(
                failure: failure, since: since,
                nextTry: isRefreshing ? .running : pause.map { .after($0) } ?? .onRequest)
        }
    }

    static func cause(of result: Result<ProductsAnswer, ProductsFailure>) -> ProductsFailure? {
        switch result {
        case .success(let answer): answer.failure
        case .failure(let failure): failure
        }
    }

    private mutating func take(_ answer: ProductsAnswer, _ uptime: Duration) {
        snapshot = answer.snapshot
        isBorrowed = answer.isForOthers
        isUnchecked = answer.isUnchecked
        takenAt = uptime
    }

    private func ask(_ uptime: Duration) -> Decision {
        guard let pause = holdOff.remaining(at: uptime) else { return .wait }
        return .refuse(unavailable(failure, retryAfter: pause))
    }

    /// Decides while the upstream is known to fail. No request waits for the next try, unless there is nothing left to
    /// serve, or the last try was so long ago that it says nothing about the upstream.
    private func servingOffline(_ stage: FreshnessStage, _ uptime: Duration) -> CataloguePublication.Serving? {
        guard stage != .expired else { return nil }
        let isPaused = holdOff.remaining(at: uptime) != nil
        if stage == .stale, !isPaused, !isLate, uptime - failedAt > policy.longestHoldOff { return nil }
        return CataloguePublication.Serving(isStale: true, isRefreshDue: !isPaused)
    }

    func unavailable(_ cause: ProductsFailure?, retryAfter: Duration) -> ProductsFailure {
        .unavailable(reason: cause?.token ?? "none", since: snapshot?.fetchedAt, retryAfter: retryAfter)
    }

    /// Returns the stage of the snapshot. Its age is at least the time since it was fetched, so that a wall clock that
    /// was set back does not keep the upstream from being asked.
    func stage(of snapshot: ProductsSnapshot, _ wall: Date, _ uptime: Duration) -> FreshnessStage {
        policy.stage(atAge: max(snapshot.age(at: wall), uptime - takenAt))
    }

    private func isBetter(_ new: ProductsSnapshot, isBorrowed isNewBorrowed: Bool, _ wall: Date, _ uptime: Duration)
        -> Bool
    {
        guard let old = snapshot else { return true }
        if isNewBorrowed, !isBorrowed { return stage(of: old, wall, uptime) == .expired }
        if isBorrowed, !isNewBorrowed { return policy.stage(atAge: new.age(at: wall)) != .expired }
        if new.origin == .bundled, old.origin != .bundled { return stage(of: old, wall, uptime) == .expired }
        if old.origin == .bundled, new.origin != .bundled { return true }
        return new.fetchedAt.timeIntervalSince(old.fetchedAt) > Self.timeResolution
    }

    private func condition(_ wall: Date, _ uptime: Duration) -> MemoryCondition {
        guard failure != nil else { return .well }
        guard let snapshot else { return .empty }
        return switch stage(of: snapshot, wall, uptime) {
        case .fresh, .revalidating: .offline
        case .stale: .stale
        case .expired: .empty
        }
    }
}
