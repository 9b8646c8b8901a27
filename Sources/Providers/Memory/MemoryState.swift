internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import Tracing

/// What `memory` knows, and its decisions, without tasks and clocks: every function is told the time.
struct MemoryState: Sendable {
    /// What a request gets.
    enum Decision: Sendable {
        /// This answer, now; with `refreshing`, a refresh has to be started behind it.
        case answer(ProductsAnswer, refreshing: Bool)
        /// The outcome of the refresh, which has to be started unless one runs.
        case wait
        /// Nothing can be served and the upstream must not be asked yet.
        case refuse(ProductsFailure)
    }

    /// In seconds. A store keeps times to the millisecond: what it gives back of a snapshot is not newer than that.
    private static let timeResolution = 0.001
    private(set) var policy: FreshnessPolicy
    private(set) var node: String
    private(set) var holdOff: HoldOff
    /// The reason of the last refresh's failure; `nil` while the upstream works.
    private(set) var failure: ProductsFailure?
    private var failures: FailuresInRow?
    /// As it was after the last refresh.
    private var condition = MemoryCondition.well
    private(set) var snapshot: ProductsSnapshot?
    /// What the next catalogue is to be compared with: the last one that was no substitute, or what a store had when
    /// there was none yet. So no substitute, such as another arm's catalogue, is the measure of the upstream's own.
    private(set) var lastGood: ProductsSnapshot?
    /// Whether the snapshot is meant for other requests; see ``ProductsAnswer/isForOthers``.
    private var isBorrowed = false
    /// Whether the upstream of this `memory`, and not of a predecessor, has given an answer that was no substitute.
    private var isProven = false
    /// Whether what is behind this `memory` is not what was behind its predecessor, and has not been asked yet.
    private var isDue = false
    /// Whether the refresh that runs has taken longer than requests wait for.
    private(set) var isLate = false
    /// When the last refresh failed, as long as `failure` is set.
    private var failedAt: Duration = .zero
    /// The uptime when the snapshot was taken over.
    private var takenAt = Duration.zero
    /// The answers to requests that need not wait, made once per refresh and not once per request.
    var fresh: ProductsAnswer?
    var stale: ProductsAnswer?

    init(policy: FreshnessPolicy, node: String) {
        self.policy = policy
        self.node = node
        holdOff = HoldOff(base: policy.holdOff, cap: policy.longestHoldOff)
    }

    /// What a successor under other rules begins with. What is behind it may be another upstream, so the pause that
    /// this one was given does not count there; and if it is, it is asked at once, behind the first answer.
    func handedOn(_ policy: FreshnessPolicy, node: String, isDue: Bool) -> MemoryState {
        var successor = self
        successor.policy = policy
        successor.node = node
        successor.holdOff = HoldOff(base: policy.holdOff, cap: policy.longestHoldOff)
        successor.isProven = false
        successor.isLate = false
        successor.isDue = isDue
        successor.prepareAnswers()
        return successor
    }

    /// Takes what the predecessor has got since, as long as the own upstream has not given anything.
    mutating func inherit(_ predecessor: MemoryState, wall: Date, uptime: Duration) {
        guard !isProven, let new = predecessor.snapshot,
            isBetter(new, isBorrowed: predecessor.isBorrowed, wall, uptime)
        else { return }
        snapshot = new
        lastGood = predecessor.lastGood
        isBorrowed = predecessor.isBorrowed
        takenAt = predecessor.takenAt
        prepareAnswers()
    }

    /// Decides for a request that comes at `wall` (for ages) and `uptime` (for pauses).
    func decide(wall: Date, uptime: Duration) -> Decision {
        guard let snapshot, let fresh, let stale else { return ask(uptime) }
        let stage = stage(of: snapshot, wall, uptime)
        if failure != nil { return decideOffline(stage, stale, uptime) }
        switch stage {
        case .fresh: return .answer(fresh, refreshing: isDue)
        case .revalidating: return .answer(stale, refreshing: true)
        case .stale where isLate: return .answer(stale, refreshing: false)
        case .stale, .expired: return .wait
        }
    }

    /// How long until a background refresh is due: until freshness ends, or the pause does.
    ///
    /// Counted from the last success and not by the snapshot's age, because an upstream that always gives old snapshots
    /// would be asked without end.
    func nextRefresh(uptime: Duration) -> Duration {
        if let pause = holdOff.remaining(at: uptime) { return pause }
        guard failure == nil, snapshot != nil, !isDue else { return .zero }
        return max(.zero, takenAt + policy.ttl - uptime)
    }

    /// Takes what a refresh brought.
    ///
    /// An answer that carries a failure on its trail came from a fallback: the upstream still fails, and what came is
    /// taken only where it is newer than what is here. A catalogue that is meant for other requests does not take the
    /// place of one that is not, as long as that may be served.
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
        failures = cause.map { FailuresInRow($0, at: wall, after: failures) }
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

    /// Takes note that the refresh has taken longer than requests wait for.
    ///
    /// - Returns: whether there is something to serve meanwhile.
    mutating func fallBehind(wall: Date, uptime: Duration) -> Bool {
        isLate = true
        prepareAnswers()
        return snapshot.map { stage(of: $0, wall, uptime) != .expired } ?? false
    }

    /// Why refreshes fail; nil while they do not.
    func trouble(uptime: Duration, isRefreshing: Bool) -> UpstreamTrouble? {
        let pause = holdOff.remaining(at: uptime) ?? (policy.refreshesInBackground ? .zero : nil)
        return failures?.trouble(nextTry: isRefreshing ? .running : pause.map { .after($0) } ?? .onRequest)
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
        takenAt = uptime
        if answer.failure == nil {
            lastGood = answer.snapshot
            isProven = true
        } else if lastGood == nil, !isBorrowed, answer.snapshot.origin == .store {
            lastGood = answer.snapshot
        }
    }

    private func ask(_ uptime: Duration) -> Decision {
        guard let pause = holdOff.remaining(at: uptime) else { return .wait }
        return .refuse(unavailable(failure, retryAfter: pause))
    }

    /// With an upstream known to fail nobody waits for the next try, unless there is nothing left to serve, or the last
    /// try is so long ago that nothing is known any more.
    private func decideOffline(_ stage: FreshnessStage, _ stale: ProductsAnswer, _ uptime: Duration) -> Decision {
        guard stage != .expired else { return ask(uptime) }
        let isPaused = holdOff.remaining(at: uptime) != nil
        if stage == .stale, !isPaused, !isLate, uptime - failedAt > policy.longestHoldOff { return .wait }
        return .answer(stale, refreshing: !isPaused)
    }

    func unavailable(_ cause: ProductsFailure?, retryAfter: Duration) -> ProductsFailure {
        .unavailable(reason: cause?.token ?? "none", since: snapshot?.fetchedAt, retryAfter: retryAfter)
    }

    /// What the age allows. It is never less than the time the snapshot has been here, so that a wall clock that was
    /// set back does not keep the upstream from being asked.
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
