internal import Concurrency
package import Products
package import Tracing

extension MemoryProductsProviderDecorator: RefreshableProvider {
    /// Refreshes all variants with a known request, and the variant of requests without headers, concurrently.
    ///
    /// An order without force respects the pause after failures. A forced order waits for a running unforced refresh
    /// and then starts its own, since the first may have met only a cache or an open breaker. Every order does so if
    /// the running refresh takes over the catalogue of another replica, which asks no upstream.
    package func refresh(
        _ order: RefreshOrder, for cause: (any RequestIdentitySource)?
    ) async -> [RefreshResult] {
        recordPlainVariant()
        return await withTaskGroup { group in
            for variant in variants.all { group.addTask { await self.refresh(variant, order, cause) } }
            var results: [RefreshResult] = []
            for await case let result? in group { results.append(result) }
            return results
        }
    }

    /// Returns nil for a variant without a known request, which is refreshed behind its next answer.
    private func refresh(
        _ variant: CatalogueInForce, _ order: RefreshOrder, _ cause: (any RequestIdentitySource)?
    ) async -> RefreshResult? {
        let before = variant.withLock(\.served)
        while true {
            switch begin(order, cause, in: variant) {
            case .unknown: return nil
            case .paused(let failure): return result(.failure(failure), before, variant)
            case .running(let refresh, let isLesser):
                let outcome = await refresh.value
                if isLesser { continue }
                return result(outcome, before, variant)
            }
        }
    }

    private enum RefreshStart {
        case unknown
        case paused(ProductsFailure)
        /// - isLesser: whether the refresh asks for less than the order would.
        case running(Task<Outcome, Never>, isLesser: Bool)
    }

    private func begin(
        _ order: RefreshOrder, _ cause: (any RequestIdentitySource)?, in variant: CatalogueInForce
    ) -> RefreshStart {
        variant.withLock { state in
            guard let headers = state.headers else {
                state.expectChange()
                return .unknown
            }
            let now = uptime.now
            let starts = state.run == nil || order.supersedes
            if starts, !order.isForced, let pause = state.memory.holdOff.remaining(at: now) {
                return .paused(state.memory.paused(for: pause))
            }
            let run = starts ? nil : state.run
            let isLesser = run.map { $0.isFollowing || order.isForced && $0.order?.isForced != true } ?? false
            var request = ProductsRequest(headers: headers, revalidates: order.revalidates)
            (request.cause, request.order) = (cause, order)
            let refresh = startedRefresh(of: variant, &state, request, supersedes: order.supersedes)
            return .running(refresh, isLesser: isLesser)
        }
    }

    /// - Parameter outcome: nil if no upstream was asked.
    func result(_ outcome: Outcome?, _ before: Catalogue?, _ variant: CatalogueInForce) -> RefreshResult {
        let (after, isPinned) = variant.withLock {
            ($0.served, $0.override != nil || $0.memory.standing == .pinned)
        }
        let failure = outcome.flatMap(MemoryState.cause)
        let change = before?.revision == after?.revision ? RefreshResult.Outcome.unchanged : .fetched
        return RefreshResult(
            failure == nil ? change : .failed, failure: failure, before: before, after: after, isPinned: isPinned)
    }
}

extension MemoryProductsProviderDecorator {
    /// Returns the pinned catalogue; nil if none is served.
    func pinnedAnswer(in variant: CatalogueInForce) -> ProductsAnswer? {
        variant.withLock { state in
            guard state.override != nil,
                case .answer(let answer, _) = state.decide(wall: wallClock.now(), uptime: uptime.now)
            else { return nil }
            return leased(answer, in: variant, &state)
        }
    }

    package func follow(isChangedBelow: Bool) async -> [RefreshResult] {
        await withTaskGroup(of: RefreshResult.self) { group in
            for variant in variants.all { group.addTask { await self.follow(variant, isChangedBelow) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Looks up a pin in the stores below, and prepares its catalogue.
    func look(in variant: CatalogueInForce) async -> PinLookup {
        let (number, before, own) = variant.withLock { state in
            (state.beginLookup(), state.served, state.override == nil ? nil : state.memory.fresh)
        }
        var found: ProductsAnswer?
        for store in stores where found == nil { found = await store.pinned() }
        if let next = found ?? own, let before, before.revision != next.snapshot.revision {
            await variants.signal.prepare((next, before.revision), within: CatalogueSignal.haste, clock: clock)
        }
        return PinLookup(number: number, found: found.map { CatalogueOverride(pinned: $0) })
    }

    func lookForPin(in variant: CatalogueInForce, removes: Bool) async {
        let look = await look(in: variant)
        let (wall, now) = (wallClock.now(), uptime.now)
        variant.withLock { state in
            state.apply(look, removes: removes, wall: wall, uptime: now, clockOrigin: wallClock.origin(at: wall))
        }
    }

    private func follow(_ variant: CatalogueInForce, _ isChangedBelow: Bool) async -> RefreshResult {
        let before = variant.withLock(\.served)
        await lookForPin(in: variant, removes: false)
        var (outcome, isChangedBelow) = (nil as Outcome?, isChangedBelow)
        var (mark, isDone) = (nil as CatalogueMark?, false)
        // A running refresh may have begun before the change.
        while !isDone {
            let (refresh, known) = variant.withLock { state -> (Task<Outcome, Never>?, CatalogueMark) in
                let known = state.memory.mark
                guard isChangedBelow || isBehind(state), mark != known, let headers = state.headers else {
                    return (nil, known)
                }
                // The source of a running refresh may hang, so it is superseded, unless it carries out an order or is
                // the first one.
                let supersedes =
                    state.run?.order == nil && state.run?.isFollowing != true && state.memory.snapshot != nil
                let refresh = startedRefresh(
                    of: variant, &state, ProductsRequest(headers: headers), supersedes: supersedes, isFollowing: true)
                return (refresh, known)
            }
            (mark, isChangedBelow, isDone) = (known, false, refresh == nil)
            if let refresh { outcome = await refresh.value }
        }
        await lookForPin(in: variant, removes: true)
        return result(outcome, before, variant)
    }

    /// Whether a store below has a newer catalogue, or the memory's own is damaged.
    func isBehind(_ state: CatalogueInForce.State) -> Bool {
        state.memory.snapshot?.catalogue.isDamaged == true
            || followed.contains { $0.hasNewer(than: state.memory.mark) }
    }
}
