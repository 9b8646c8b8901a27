import Concurrency
internal import FoundationEssentials
internal import Products

extension MemoryState {
    /// Returns the answer for a request whose wait for the refresh timed out; nil if none may be served.
    func answerWhileLate(wall: Date, uptime: Duration) -> ProductsAnswer? {
        guard let snapshot, !isExpired(snapshot, wall, uptime) else { return nil }
        let verdict = Freshness.Verdict.forwarded(reason: .stale, status: nil, stored: false)
        let step = TrailStep(node: node, outcome: .stale)
        return ProductsAnswer(
            snapshot: snapshot, trail: standingSteps + [step],
            freshness: freshness(snapshot, verdict, isLate: isLate), standing: standing)
    }

    /// The trail step for the snapshot's standing.
    private var standingSteps: [TrailStep] {
        switch standing {
        case .unchecked: [TrailStep(node: node, outcome: .unchecked)]
        case .pinned: [TrailStep(node: node, outcome: .pinned)]
        case .confirmed, .substitute, .forOthers: []
        }
    }

    /// Returns the answer for a request that waited for the refresh that has just ended.
    func answerAfterWaiting(
        _ result: Result<ProductsAnswer, ProductsFailure>, reason: Freshness.ForwardReason, wall: Date, uptime: Duration
    ) throws(ProductsFailure) -> ProductsAnswer {
        let cause = Self.cause(of: result)
        guard let snapshot, isServable(snapshot, after: result, wall, uptime) else {
            throw unavailable(cause ?? failure, retryAfter: holdOff.remaining(at: uptime) ?? policy.holdOff)
        }
        let verdict = Freshness.Verdict.forwarded(
            reason: reason, status: cause?.upstreamStatus, stored: cause == nil)
        let step = TrailStep(node: node, outcome: reason == .miss ? .miss : .stale)
        let failed = cause.map { [TrailStep(node: node, outcome: .failed($0))] } ?? []
        let below = (try? result.get())?.trail ?? failed + standingSteps
        return ProductsAnswer(
            snapshot: snapshot, trail: below + [step],
            freshness: freshness(snapshot, verdict, isLate: isLate), standing: standing)
    }

    /// Whether a request that waited may get the snapshot. An answer that the upstream has just confirmed may be served
    /// even if the windows are shorter than decoding takes.
    private func isServable(
        _ snapshot: ProductsSnapshot, after result: Result<ProductsAnswer, ProductsFailure>, _ wall: Date,
        _ uptime: Duration
    ) -> Bool {
        if case .success(let answer) = result, answer.failure == nil, answer.snapshot.origin == .network { return true }
        return !isExpired(snapshot, wall, uptime)
    }

    /// Returns the catalogue with which a refresh is about to replace another one; nil if there is none, or if requests
    /// wait for it.
    ///
    /// - Returns: `replaced` is the replaced revision, and `slack` the time for which it may still be served without
    ///   waiting, at most `CatalogueSignal.timeout`.
    func replacement(
        by result: Result<ProductsAnswer, ProductsFailure>, wall: Date, uptime: Duration
    ) -> (answer: ProductsAnswer, replaced: String, slack: Duration)? {
        guard let snapshot, let freshness = fresh?.freshness, serving(wall: wall, uptime: uptime) != nil,
            let answer = kept(of: result, wall, uptime), answer.snapshot.revision != snapshot.revision
        else { return nil }
        let end =
            isLate || freshness.isOffline
            ? freshness.servableUntil : freshness.freshUntil.advanced(by: freshness.staleWhileRevalidate)
        let left = Duration.seconds(end.timeIntervalSince(moment(of: snapshot, wall, uptime)))
        return (answer, snapshot.revision, min(left, CatalogueSignal.timeout))
    }

    /// Makes the answers to requests that need not wait.
    mutating func prepareAnswers() {
        (fresh, stale) = (nil, nil)
        guard let snapshot else { return }
        let freshness = freshness(snapshot, .hit, isLate: isLate)
        let hit = TrailStep(node: node, outcome: .hit)
        let old = TrailStep(node: node, outcome: .stale)
        fresh = ProductsAnswer(
            snapshot: snapshot, trail: standingSteps + [hit], freshness: freshness, standing: standing)
        stale = ProductsAnswer(
            snapshot: snapshot, trail: standingSteps + [old], freshness: freshness, standing: standing)
    }

    func unavailable(_ cause: ProductsFailure?, retryAfter: Duration) -> ProductsFailure {
        .unavailable(reason: cause?.causeToken ?? "none", since: snapshot?.fetchedAt, retryAfter: retryAfter)
    }

    /// The failure of an order that is not carried out because of the pause after failures.
    func paused(for pause: Duration) -> ProductsFailure {
        guard let failure = failures?.cause else { return unavailable(failure, retryAfter: pause) }
        return .paused(reason: failure.causeToken, detail: "\(failure)", retryAfter: pause)
    }

    /// Returns the end of serving. The age ends it, unless the source has nothing newer: its catalogue is served as
    /// long as it responds.
    func servableUntil(_ snapshot: ProductsSnapshot) -> Date {
        max(
            snapshot.fetchedAt.advanced(by: policy.longestUse),
            snapshot.checkedAt.advanced(by: policy.ttl + policy.staleWhileRevalidate))
    }

    /// Returns the freshness of the snapshot, and until when it may be served.
    ///
    /// - Parameter isLate: whether the running refresh takes longer than requests wait for one.
    func freshness(
        _ snapshot: ProductsSnapshot, _ verdict: Freshness.Verdict, isLate: Bool = false, servableUntil: Date? = nil,
        isPinned: Bool = false
    ) -> Freshness {
        Freshness(
            verdict: verdict, isOffline: failure != nil,
            freshUntil: snapshot.checkedAt.advanced(by: policy.ttl),
            servableUntil: servableUntil ?? self.servableUntil(snapshot),
            staleWhileRevalidate: policy.staleWhileRevalidate, staleIfError: policy.staleIfError,
            mayIdle: !policy.refreshesInBackground && !isLate, isLate: isLate, isPinned: isPinned || standing == .pinned
        )
    }

    /// The answer of a refresh if it is to be kept.
    func kept(of result: Result<ProductsAnswer, ProductsFailure>, _ wall: Date, _ uptime: Duration) -> ProductsAnswer? {
        guard case .success(let answer) = result else { return nil }
        guard answer.failure != nil else { return answer }
        return isBetter(answer, wall, uptime) ? answer : nil
    }

    /// Whether a substitute for a failure is better than the snapshot. One that is too old never replaces one that may
    /// be served.
    private func isBetter(_ answer: ProductsAnswer, _ wall: Date, _ uptime: Duration) -> Bool {
        let (new, isNewBorrowed, isBorrowed) = (answer.snapshot, answer.standing == .forOthers, standing == .forOthers)
        guard let old = snapshot, !old.catalogue.isDamaged else { return true }
        if isNewBorrowed, !isBorrowed { return isExpired(old, wall, uptime) }
        if isBorrowed, !isNewBorrowed { return wall <= servableUntil(new) }
        if wall > servableUntil(new) { return isExpired(old, wall, uptime) }
        if new.origin == .bundled, old.origin != .bundled { return isExpired(old, wall, uptime) }
        if old.origin == .bundled, new.origin != .bundled { return true }
        return new.fetchedAt.timeIntervalSince(old.fetchedAt) > Self.timeResolution
    }

    /// In seconds. A store keeps times to the millisecond, so a smaller difference does not make a snapshot newer.
    private static let timeResolution = 0.001
}
