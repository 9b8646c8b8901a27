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
            snapshot: snapshot, trail: pinned([]) + [step], freshness: freshness(snapshot, verdict, isLate: isLate))
    }

    /// Returns the steps with that of the pin, which every answer with a pinned snapshot has.
    private func pinned(_ trail: [TrailStep]) -> [TrailStep] {
        guard let pin, !trail.contains(where: { $0.outcome == .pinned }) else { return trail }
        return trail + [pin]
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
        let below = (try? result.get())?.trail ?? cause.map { [TrailStep(node: node, outcome: .failed($0))] } ?? []
        return ProductsAnswer(
            snapshot: snapshot, trail: pinned(below) + [step], freshness: freshness(snapshot, verdict, isLate: isLate))
    }

    /// Whether a request that waited may get the snapshot. An answer that the upstream has just confirmed may be served
    /// even where the windows are shorter than a decode takes.
    private func isServable(
        _ snapshot: ProductsSnapshot, after result: Result<ProductsAnswer, ProductsFailure>, _ wall: Date,
        _ uptime: Duration
    ) -> Bool {
        if case .success(let answer) = result, answer.failure == nil, answer.snapshot.origin == .network { return true }
        return !isExpired(snapshot, wall, uptime)
    }

    /// Returns the new catalogue that a refresh is about to put in place of another one; nil if it brought none, or if
    /// requests wait for it.
    ///
    /// - Returns: `replaced` is the revision of the other one, and `slack` the time for which requests still get that at
    ///   once, at most `patience`.
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
        return (answer, snapshot.revision, min(left, CataloguePreparation.patience))
    }

    /// Makes the answers to requests that need not wait.
    mutating func prepareAnswers() {
        (fresh, stale) = (nil, nil)
        guard let snapshot else { return }
        let freshness = freshness(snapshot, .hit, isLate: isLate)
        let hit = TrailStep(node: node, outcome: .hit)
        let old = TrailStep(node: node, outcome: .stale)
        // A hit is as little compared as the answer that was kept, and must not be saved above.
        let below = pinned(isUnchecked ? [TrailStep(node: node, outcome: .unchecked)] : [])
        fresh = ProductsAnswer(snapshot: snapshot, trail: below + [hit], freshness: freshness)
        stale = ProductsAnswer(snapshot: snapshot, trail: below + [old], freshness: freshness)
    }

    /// Publishes the answers to requests that need not wait; nil without a snapshot.
    ///
    /// - Parameters:
    ///   - refresh: starts the refresh behind an answer, and returns whether one runs.
    ///   - replacement: publishes the state that comes after this one.
    func published(
        by publisher: any CataloguePublisher, _ wallClock: WallClock, _ uptime: Uptime,
        refresh: @escaping CataloguePublication.Refresh,
        replacement: @escaping @Sendable () -> CataloguePublication?
    ) -> CataloguePublication? {
        guard let fresh, let stale else { return nil }
        return CataloguePublication(
            fresh: fresh, stale: stale, by: publisher,
            decide: { isSetBack(to: wallClock.origin(at: $0)) ? nil : serving(wall: $0, uptime: uptime.now) },
            refresh: refresh, replacement: replacement)
    }

    /// Returns the end of serving. The age ends it, unless the source has nothing newer: what it gives is served for as long
    /// as it answers. The age of a pinned catalogue does not count: an operator vouches for it.
    func servableUntil(_ snapshot: ProductsSnapshot) -> Date {
        if pin != nil { return snapshot.checkedAt.advanced(by: policy.longestUse) }
        return max(
            snapshot.fetchedAt.advanced(by: policy.longestUse),
            snapshot.checkedAt.advanced(by: policy.ttl + policy.staleWhileRevalidate))
    }

    /// Returns the freshness of the snapshot, and until when it may be served.
    ///
    /// - Parameter isLate: whether the running refresh takes longer than requests wait for one.
    func freshness(
        _ snapshot: ProductsSnapshot, _ verdict: Freshness.Verdict, isLate: Bool = false
    ) -> Freshness {
        Freshness(
            verdict: verdict, isOffline: failure != nil,
            freshUntil: snapshot.checkedAt.advanced(by: policy.ttl), servableUntil: servableUntil(snapshot),
            staleWhileRevalidate: policy.staleWhileRevalidate, staleIfError: policy.staleIfError,
            mayIdle: !policy.refreshesInBackground && !isLate, isLate: isLate, isPinned: pin != nil)
    }

    /// The answer of a refresh if it is to be kept.
    func kept(of result: Result<ProductsAnswer, ProductsFailure>, _ wall: Date, _ uptime: Duration) -> ProductsAnswer? {
        guard case .success(let answer) = result else { return nil }
        guard answer.failure != nil, !answer.isPinned || answer.isForOthers else { return answer }
        return isBetter(answer, wall, uptime) ? answer : nil
    }

    /// A pin may put an older catalogue in the place of a newer one, so its time says nothing once the pin is off.
    private func isBetter(_ answer: ProductsAnswer, _ wall: Date, _ uptime: Duration) -> Bool {
        let (new, isNewBorrowed) = (answer.snapshot, answer.isForOthers)
        guard let old = snapshot, !old.catalogue.isDamaged else { return true }
        if isNewBorrowed, !isBorrowed { return isExpired(old, wall, uptime) }
        if pin != nil || (isBorrowed && !isNewBorrowed) { return wall <= servableUntil(new) }
        if new.origin == .bundled, old.origin != .bundled { return isExpired(old, wall, uptime) }
        if old.origin == .bundled, new.origin != .bundled { return true }
        return new.fetchedAt.timeIntervalSince(old.fetchedAt) > Self.timeResolution
    }

    /// In seconds. A store keeps times to the millisecond, so a smaller difference does not make a snapshot newer.
    private static let timeResolution = 0.001
}
