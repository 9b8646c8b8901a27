internal import Concurrency
internal import FoundationEssentials
internal import Products

/// The state and the decisions of `memory` for one variant, without tasks and clocks: the time is a parameter.
struct MemoryState: Sendable {
    enum Decision: Sendable {
        /// Serve this answer at once; with `refreshing`, a refresh is started behind it.
        case answer(ProductsAnswer, refreshing: Bool)
        /// Wait for the refresh, which is started unless one runs.
        case wait
        /// Nothing can be served and the upstream must not be asked yet.
        case refuse(ProductsFailure)
    }

    private(set) var policy: FreshnessPolicy
    private(set) var node: String
    private(set) var holdOff: HoldOff
    /// The failure of the last refresh; nil while the upstream works.
    private(set) var failure: ProductsFailure?
    /// The time of the first failure in a row, and the last failure of the upstream itself.
    private(set) var failures: (since: Date, cause: ProductsFailure)?
    /// The outage that the last refresh found; nil while the upstream works.
    private var outage: MemoryOutage?
    private(set) var snapshot: ProductsSnapshot?
    private(set) var standing = CatalogueStanding.confirmed
    /// The source, if its last answer was marked as stale.
    private(set) var staleSource: StaleSource?
    /// The position of the snapshot in the sequence of its provider.
    private(set) var mark = CatalogueMark.none
    /// Whether the upstream has changed with the reload and has not been asked yet.
    private var isDue = false
    /// Whether a request has stopped waiting for the running refresh.
    private(set) var isLate = false
    /// The uptime of the last failure, as long as `failure` is set.
    private var failedAt: Duration = .zero
    /// The uptime when the snapshot was fetched.
    private var takenAt = Duration.zero
    /// The wall clock's origin when the snapshot was dated.
    private var clockOrigin = Date.distantPast
    /// The answers to requests that need not wait, made once per refresh.
    var fresh: ProductsAnswer?
    var stale: ProductsAnswer?

    init(policy: FreshnessPolicy, node: String) {
        self.policy = policy
        self.node = node
        holdOff = HoldOff(base: policy.holdOff, cap: policy.longestHoldOff)
    }

    /// Returns a copy for a changed `memory` after a reload. The pause ends, since the upstream may be another one.
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
        guard let snapshot, let freshness = fresh?.freshness else { return nil }
        let moment = moment(of: snapshot, wall, uptime)
        return switch freshness.state(at: moment) {
        case .fresh: CataloguePublication.Serving(isStale: false, isRefreshDue: isDue)
        case .stale where freshness.mayRevalidate(at: moment):
            CataloguePublication.Serving(isStale: true, isRefreshDue: true)
        case .stale where isLate: CataloguePublication.Serving(isStale: true, isRefreshDue: false)
        case .offline: servingOffline(mayRevalidate: freshness.mayRevalidate(at: moment), uptime)
        case .stale, .expired: nil
        }
    }

    /// The times by both clocks up to which `serving` only says that the snapshot is fresh, and no refresh due, in
    /// seconds; nil if it need not say so.
    var surelyFresh: (wall: Double, uptime: Double)? {
        guard let snapshot, let freshness = fresh?.freshness, !freshness.isOffline, !isDue else { return nil }
        let end = min(freshness.freshUntil, freshness.servableUntil) - 0.001
        let uptime = takenAt / .seconds(1) + end.timeIntervalSince(snapshot.checkedAt)
        return (end.timeIntervalSinceReferenceDate, uptime)
    }

    /// Returns the time until a background refresh is due: until freshness ends, or the pause does.
    ///
    /// It counts from the last success, not from the snapshot's age: an upstream that always returns old snapshots
    /// would be asked continuously.
    func nextRefresh(uptime: Duration) -> Duration {
        if let pause = holdOff.remaining(at: uptime) { return pause }
        guard failure == nil, snapshot != nil, !isDue else { return .zero }
        return max(.zero, takenAt + policy.ttl - uptime)
    }

    /// Whether a refresh is overdue: the source has failed since its last success, or `ttl` has passed.
    func isOverdue(uptime: Duration) -> Bool {
        failure != nil || snapshot == nil || isDue || uptime > takenAt + policy.ttl
    }

    /// Records the outcome of a refresh.
    ///
    /// An answer with a failure on its trail came from a fallback: the upstream still fails, and the answer is kept
    /// only if it is newer than the snapshot here. A catalogue that is meant for other requests does not replace a
    /// servable one that is not.
    mutating func finish(
        _ result: Result<ProductsAnswer, ProductsFailure>, wall: Date, uptime: Duration,
        clockOrigin: Date = .distantPast
    ) -> MemoryTransition {
        _ = follow(clockOrigin)
        if let answer = kept(of: result, wall, uptime) { keep(answer, uptime, clockOrigin) } else { dropDamaged() }
        record(Self.cause(of: result), wall: wall, uptime: uptime)
        isDue = false
        isLate = false
        prepareAnswers()
        let before = outage
        outage =
            failure == nil
            ? nil : MemoryOutage(fresh?.freshness, at: snapshot.map { moment(of: $0, wall, uptime) })
        return MemoryTransition(from: before, to: outage, failure: failure)
    }

    private mutating func record(_ cause: ProductsFailure?, wall: Date, uptime: Duration) {
        failure = cause
        failures = cause.map { [failures] cause in
            // An open breaker hides how the upstream fails, so the failure that opened it is kept.
            if case .circuitOpen = cause, let failures { return failures }
            return (failures?.since ?? wall, cause)
        }
        guard let cause else { return holdOff.succeed() }
        holdOff.fail(at: uptime, retryAfter: cause.retryAfter)
        failedAt = uptime
    }

    /// Makes a refresh due, behind the next answer at the latest.
    mutating func expectChange() {
        isDue = true
    }

    /// Takes over the catalogue of a removed pin if there is no other to serve. It expires as if the source had
    /// confirmed it when the pin was removed.
    mutating func replaceUnservable(by pinned: ProductsSnapshot, wall: Date, uptime: Duration, clockOrigin: Date) {
        guard snapshot.map({ $0.catalogue.isDamaged || isExpired($0, wall, uptime) }) ?? true else { return }
        keep(ProductsAnswer(snapshot: pinned, standing: .pinned), uptime, clockOrigin)
        isDue = true
        prepareAnswers()
    }

    /// Records that the refresh takes longer than requests wait.
    ///
    /// - Returns: whether a catalogue can be served meanwhile.
    mutating func fallBehind(wall: Date, uptime: Duration) -> Bool {
        isLate = true
        prepareAnswers()
        return snapshot.map { !isExpired($0, wall, uptime) } ?? false
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

    private mutating func keep(_ answer: ProductsAnswer, _ uptime: Duration, _ clockOrigin: Date) {
        snapshot = answer.snapshot
        standing = answer.standing
        // A substitute has no mark; the one before stays.
        if answer.mark != .none { mark = answer.mark }
        staleSource = answer.staleSource(after: staleSource)
        (takenAt, self.clockOrigin) = (uptime, clockOrigin)
    }

    /// Redates the snapshot if the wall clock was set back since it was dated, so that its age keeps growing.
    ///
    /// - Parameter clockOrigin: the wall clock's; see `WallClock.origin(at:)`.
    /// - Returns: whether it was redated, which changes the answers.
    mutating func follow(_ clockOrigin: Date) -> Bool {
        guard let snapshot, isSetBack(to: clockOrigin) else { return false }
        self.snapshot = snapshot.earlier(by: self.clockOrigin.timeIntervalSince(clockOrigin))
        self.clockOrigin = clockOrigin
        prepareAnswers()
        return true
    }

    /// Whether the wall clock was set back since the snapshot was dated.
    func isSetBack(to clockOrigin: Date) -> Bool {
        self.clockOrigin.timeIntervalSince(clockOrigin) > ProductsSnapshot.tolerance
    }

    /// Drops a snapshot whose products are damaged. A restart would not find it either.
    private mutating func dropDamaged() {
        guard snapshot?.catalogue.isDamaged == true else { return }
        (snapshot, standing, mark) = (nil, .confirmed, .none)
    }

    private func ask(_ uptime: Duration) -> Decision {
        guard let pause = holdOff.remaining(at: uptime) else { return .wait }
        return .refuse(unavailable(failure, retryAfter: pause))
    }

    /// Decides while the upstream fails. Requests do not wait for the next try, unless there is nothing else to serve
    /// or the last try is too long ago to count.
    private func servingOffline(mayRevalidate: Bool, _ uptime: Duration) -> CataloguePublication.Serving? {
        let isPaused = holdOff.remaining(at: uptime) != nil
        if !mayRevalidate, !isPaused, !isLate, uptime - failedAt > policy.longestHoldOff { return nil }
        return CataloguePublication.Serving(isStale: true, isRefreshDue: !isPaused)
    }

    /// Whether the snapshot is too old to be served.
    func isExpired(_ snapshot: ProductsSnapshot, _ wall: Date, _ uptime: Duration) -> Bool {
        freshness(snapshot, .hit).state(at: moment(of: snapshot, wall, uptime)) == .expired
    }

    /// Returns the time by which the snapshot's freshness is decided. It is at least the snapshot's time plus the time
    /// since its arrival, so that setting the wall clock back does not delay refreshes.
    func moment(of snapshot: ProductsSnapshot, _ wall: Date, _ uptime: Duration) -> Date {
        max(wall, snapshot.checkedAt.advanced(by: uptime - takenAt))
    }
}
