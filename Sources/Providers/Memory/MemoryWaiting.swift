internal import Concurrency
internal import FoundationEssentials
internal import Logging
internal import Products
internal import Tracing

/// The wait of requests for a refresh, which has an end whatever the refresh waits for.
extension MemoryProductsProviderDecorator {
    /// The outcome of a refresh; nil when it takes longer than a request waits. The refresh goes on then, and until it
    /// ends no other request waits that may have a stale answer.
    func outcome(of refresh: Task<Outcome, Never>, in room: MemoryRoom) async -> Outcome? {
        let wait: Task<Outcome?, Never>? = room.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            if let wait = state.wait { return wait }
            let left = max(.zero, rooms.policy.maxWait - (uptime.now - state.refreshStart))
            let wait = Task.detached { [self] in await outcome(of: refresh, in: room, within: left) }
            state.wait = wait
            return wait
        }
        guard let wait else { return await refresh.value }
        return await wait.value
    }

    private func outcome(
        of refresh: Task<Outcome, Never>, in room: MemoryRoom, within limit: Duration
    ) async -> Outcome? {
        let outcome = await firstOutcome(within: limit, clock: clock) { await refresh.value }
        if outcome == nil { reportLate(refresh, in: room) }
        return outcome
    }

    private func reportLate(_ refresh: Task<Outcome, Never>, in room: MemoryRoom) {
        let isServable: Bool? = room.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            return state.memory.fallBehind(wall: wallClock.now(), uptime: uptime.now)
        }
        guard let isServable else { return }
        logger.warning(
            isServable
                ? "a refresh takes long, serving the last good catalogue" : "a refresh takes long, nothing to serve",
            metadata: ["provider": "\(rooms.node)", "limit": "\(rooms.policy.maxWait)"])
    }
}

/// The answers that `memory` gives, and how fresh they are.
extension MemoryState {
    /// The answer for a request whose wait for the refresh timed out; nil when there is none that may be served.
    func answerWhileLate(wall: Date, uptime: Duration) -> ProductsAnswer? {
        guard let snapshot, stage(of: snapshot, wall, uptime) != .expired else { return nil }
        let verdict = Freshness.Verdict.forwarded(reason: .stale, status: nil, stored: false)
        let step = TrailStep(node: node, outcome: .stale)
        return ProductsAnswer(snapshot: snapshot, trail: [step], freshness: freshness(snapshot, verdict))
    }

    /// The answer for a request that waited for the refresh that ended just now.
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
        return ProductsAnswer(snapshot: snapshot, trail: below + [step], freshness: freshness(snapshot, verdict))
    }

    /// Whether a request that waited may get the snapshot. What the upstream has just confirmed is servable, also where
    /// the windows are shorter than a decode takes.
    private func isServable(
        _ snapshot: ProductsSnapshot, after result: Result<ProductsAnswer, ProductsFailure>, _ wall: Date,
        _ uptime: Duration
    ) -> Bool {
        if case .success(let answer) = result, answer.failure == nil, answer.snapshot.origin == .network { return true }
        return stage(of: snapshot, wall, uptime) != .expired
    }

    /// Makes the answers to requests that need not wait.
    mutating func prepareAnswers() {
        guard let snapshot else { return }
        let freshness = freshness(snapshot, .hit)
        let hit = TrailStep(node: node, outcome: .hit)
        let old = TrailStep(node: node, outcome: .stale)
        fresh = ProductsAnswer(snapshot: snapshot, trail: [hit], freshness: freshness)
        stale = ProductsAnswer(snapshot: snapshot, trail: [old], freshness: freshness)
    }

    /// How fresh the snapshot is, and until when it may be served.
    ///
    /// - Parameter isSlow: whether a refresh has been under way for long.
    func freshness(
        _ snapshot: ProductsSnapshot, _ verdict: Freshness.Verdict, isSlow: Bool = false
    ) -> Freshness {
        Freshness(
            verdict: verdict, isOffline: failure != nil,
            freshUntil: snapshot.fetchedAt.advanced(by: policy.ttl),
            servableUntil: snapshot.fetchedAt.advanced(by: policy.longestUse),
            staleWhileRevalidate: policy.staleWhileRevalidate, staleIfError: policy.staleIfError,
            mayIdle: !policy.refreshesInBackground && !isSlow && !isLate, isLate: isLate)
    }
}
