internal import Concurrency
internal import FoundationEssentials
package import Products

/// The pinned catalogue that a `memory` serves in place of its own, which is still refreshed.
///
/// Requests do not wait for the upstream. The pinned catalogue is fresh while refreshes succeed, and `offline` while
/// they fail. Its age is its own.
struct CatalogueOverride: Sendable {
    /// The store's answer, with its step, dated by the last lookup.
    let pinned: ProductsAnswer

    private static let ever = Duration.seconds(100 * 365 * 86400)

    /// Returns how to serve it, by the time of the last successful refresh.
    func serving(over memory: MemoryState, uptime: Duration) -> CataloguePublication.Serving {
        let isDue = memory.isOverdue(uptime: uptime)
        return CataloguePublication.Serving(
            isStale: isDue, isRefreshDue: isDue && memory.holdOff.remaining(at: uptime) == nil)
    }

    func answer(over memory: MemoryState, isStale: Bool) -> ProductsAnswer {
        // It does not expire for lack of requests.
        let end = pinned.snapshot.checkedAt.advanced(by: memory.failure == nil ? Self.ever : memory.policy.longestUse)
        return ProductsAnswer(
            snapshot: pinned.snapshot,
            trail: pinned.trail + [TrailStep(node: memory.node, outcome: isStale ? .stale : .hit)],
            freshness: memory.freshness(
                pinned.snapshot, .hit, isLate: memory.isLate, servableUntil: end, isPinned: true))
    }

    /// Returns the catalogue as checked at this time, for a wall clock that was set back.
    func checked(at time: Date) -> CatalogueOverride {
        CatalogueOverride(
            pinned: ProductsAnswer(snapshot: pinned.snapshot.checked(at: time), trail: pinned.trail))
    }
}

extension MemoryVariant.State {
    /// The catalogue that requests get; nil for none.
    var served: Catalogue? { override?.pinned.snapshot.catalogue ?? memory.snapshot?.catalogue }

    func decide(wall: Date, uptime: Duration) -> MemoryState.Decision {
        guard let override else { return memory.decide(wall: wall, uptime: uptime) }
        let serving = override.serving(over: memory, uptime: uptime)
        return .answer(
            override.answer(over: memory, isStale: serving.isStale), refreshing: serving.isRefreshDue)
    }

    /// The answers to requests that need not wait; nil without a catalogue.
    var answers: (fresh: ProductsAnswer, stale: ProductsAnswer)? {
        if let override {
            return (override.answer(over: memory, isStale: false), override.answer(over: memory, isStale: true))
        }
        guard let fresh = memory.fresh, let stale = memory.stale else { return nil }
        return (fresh, stale)
    }

    /// Returns a function that decides how to serve these answers at a given time.
    func serving(_ wallClock: WallClock, _ uptime: Uptime) -> @Sendable (Date) -> CataloguePublication.Serving? {
        // Every leased answer calls the function; without a pin it captures no override.
        guard let override else {
            return { [memory] wall in
                memory.isSetBack(to: wallClock.origin(at: wall)) ? nil : memory.serving(wall: wall, uptime: uptime.now)
            }
        }
        return { [memory] wall in
            memory.isSetBack(to: wallClock.origin(at: wall)) ? nil : override.serving(over: memory, uptime: uptime.now)
        }
    }
}

/// The pin found in the stores below a `memory`. Lookups may overlap: the result of an earlier one is ignored once a
/// later one has been applied.
struct PinLookup: Sendable {
    let number: Int
    /// The pinned catalogue; nil while none is pinned.
    let found: CatalogueOverride?
}

extension MemoryVariant.State {
    /// Applies the result of a lookup.
    ///
    /// - Parameter removes: whether the memory's own catalogue is served again if nothing is pinned.
    /// - Returns: whether anything changed, so that the publication has to be withdrawn.
    mutating func apply(_ lookup: PinLookup, removes: Bool, wall: Date, uptime: Duration, clockOrigin: Date) -> Bool {
        guard lookup.number > endedLookup, lookup.found != nil || override == nil || removes else { return false }
        endedLookup = lookup.number
        guard override != nil || lookup.found != nil else { return false }
        if lookup.found == nil, let override {
            memory.replaceUnservable(
                by: override.pinned.snapshot, wall: wall, uptime: uptime, clockOrigin: clockOrigin)
        }
        override = lookup.found
        return true
    }
}

extension MemoryProductsProviderDecorator {
    /// Returns the pinned catalogue; nil if none is served.
    func pinnedAnswer(in variant: MemoryVariant) -> ProductsAnswer? {
        variant.state.withLock { state in
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
    func look(in variant: MemoryVariant) async -> PinLookup {
        let (number, before, own) = variant.state.withLock { state in
            state.lastLookup += 1
            return (state.lastLookup, state.served, state.override == nil ? nil : state.memory.fresh)
        }
        var found: ProductsAnswer?
        for store in stores where found == nil { found = await store.pinned() }
        if let next = found ?? own, let before, before.revision != next.snapshot.revision {
            await preparation.run(next, replacing: before.revision, within: CataloguePreparation.haste, clock: clock)
        }
        return PinLookup(number: number, found: found.map { CatalogueOverride(pinned: $0) })
    }

    func lookForPin(in variant: MemoryVariant, removes: Bool) async {
        let look = await look(in: variant)
        let (wall, now) = (wallClock.now(), uptime.now)
        let replaced = variant.state.withLock { state in
            state.apply(look, removes: removes, wall: wall, uptime: now, clockOrigin: wallClock.origin(at: wall))
                ? state.withdrawn() : nil
        }
        release(replaced)
    }

    private func follow(_ variant: MemoryVariant, _ isChangedBelow: Bool) async -> RefreshResult {
        let before = variant.state.withLock(\.served)
        await lookForPin(in: variant, removes: false)
        var (outcome, isChangedBelow) = (nil as Outcome?, isChangedBelow)
        var (mark, isDone) = (nil as CatalogueMark?, false)
        // A running refresh may have begun before the change.
        while !isDone {
            let (refresh, known) = variant.state.withLock { state -> (Task<Outcome, Never>?, CatalogueMark) in
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
    func isBehind(_ state: MemoryVariant.State) -> Bool {
        state.memory.snapshot?.catalogue.isDamaged == true
            || followed.contains { $0.hasNewer(than: state.memory.mark) }
    }
}
