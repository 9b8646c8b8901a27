package import Concurrency
package import Logging
package import Products
internal import Tracing

/// Keeps the last answer and decides when its upstream is asked again.
///
/// Each variant of the requests has an answer and a refresh of its own, created on first use. An answer is never served
/// to another variant.
///
/// One refresh per variant runs at a time, off the event loops. It belongs to this provider, not to the request that
/// caused it, and uses only that request's deciding headers, so no client can cancel it or slow it down for others.
/// After a failure the upstream is not asked for a while, and requests do not wait. `FreshnessPolicy` defines the
/// windows, `MemoryState` makes the decisions.
package final class MemoryProductsProviderDecorator: ProductsProvider {
    typealias Outcome = CatalogueInForce.Outcome

    let clock: any Clock<Duration>
    let uptime: Uptime
    let variants: MemoryVariants
    let wallClock: WallClock
    private let upstream: any ProductsProvider
    let log: MemoryLog
    private let meter: RefreshMeter
    private let traces: RefreshTraces
    /// The stores below whose pins this provider serves.
    let stores: [any CatalogueOffering]
    /// All stores below, whose newer catalogues it takes over at once.
    let followed: [any CatalogueOffering]
    /// The only variant, if all requests get the same answer.
    private let onlyVariant: CatalogueInForce?

    /// Decorates `upstream`, and keeps its answers in these variants, which no other `memory` uses.
    /// - Parameters:
    ///   - stores: the stores whose pins this provider obeys, in order of precedence.
    ///   - followed: all stores below that no other `memory` follows for it.
    package init(
        upstream: any ProductsProvider, variants: MemoryVariants, stores: [any CatalogueOffering] = [],
        followed: [any CatalogueOffering] = [], wallClock: WallClock, clock: any Clock<Duration>, logger: Logger,
        meter: RefreshMeter = RefreshMeter(), traces: RefreshTraces = RefreshTraces()
    ) {
        self.upstream = upstream
        (self.stores, self.followed) = (stores, followed)
        if stores.isEmpty { for variant in variants.all { variant.withLock { $0.dropOverride() } } }
        self.variants = variants
        self.wallClock = wallClock
        self.clock = clock
        log = MemoryLog(logger: logger, node: variants.node)
        self.meter = meter
        self.traces = traces
        uptime = variants.uptime
        onlyVariant = variants.division.isWhole ? variants.variant([]) : nil
    }

    /// Returns the kept answer, or a new one if the snapshot is too old; throws `unavailable` if there is none to
    /// serve. The answer has a lease on the catalogue in the variant.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let variant = variant(for: request)
        let (decision, refresh, reason) = decide(on: request, in: variant, mayWait: true)
        switch decision {
        case .answer(let answer, _): return answer
        case .refuse(let failure): throw failure
        case .wait:
            guard let refresh else { throw CancellationError() }
            if let look = variant.withLock(\.look) {
                await look.value
                if let pinned = pinnedAnswer(in: variant) { return pinned }
            }
            let early = await outcome(of: refresh, in: variant)
            if early == nil, let pinned = pinnedAnswer(in: variant) { return pinned }
            let late = variant.withLock { state -> ProductsAnswer? in
                guard early == nil else { return nil }
                let answer = state.memory.answerWhileLate(wall: wallClock.now(), uptime: uptime.now)
                return answer.map { leased($0, in: variant, &state) }
            }
            if let late { return late }
            let outcome = if let early { early } else { await refresh.value }
            if let pinned = pinnedAnswer(in: variant) { return pinned }
            return try variant.withLock { state throws(ProductsFailure) in
                let answer = try state.memory.answerAfterWaiting(
                    outcome, reason: reason, wall: wallClock.now(), uptime: uptime.now)
                return leased(answer, in: variant, &state)
            }
        }
    }

    /// Decides about a request, and returns the refresh that runs for it or behind its answer.
    ///
    /// - Parameter mayWait: whether a refresh is started even if the request has to wait for it.
    func decide(
        on request: ProductsRequest, in variant: CatalogueInForce, mayWait: Bool
    ) -> (decision: MemoryState.Decision, refresh: Task<Outcome, Never>?, reason: Freshness.ForwardReason) {
        variant.withLock { state in
            let wall = wallClock.now()
            state.follow(wallClock.origin(at: wall), at: wall)
            var decision = state.decide(wall: wall, uptime: uptime.now)
            let refresh: Task<Outcome, Never>? =
                switch decision {
                case .wait where mayWait: startedRefresh(of: variant, &state, refresh(for: request, isWaiting: true))
                case .answer(_, refreshing: true): startedRefresh(of: variant, &state, refresh(for: request))
                case .answer, .refuse, .wait: nil
                }
            if case .answer(let answer, let refreshing) = decision {
                decision = .answer(leased(answer, in: variant, &state), refreshing: refreshing)
            }
            return (decision, refresh, state.memory.snapshot == nil ? .miss : .stale)
        }
    }

    func leased(
        _ answer: ProductsAnswer, in variant: CatalogueInForce, _ state: inout CatalogueInForce.State
    ) -> ProductsAnswer {
        publication(of: variant, &state).map(answer.leasing) ?? answer
    }

    /// Returns the publication of the variant's catalogue; nil without one.
    private func publication(of variant: CatalogueInForce, _ state: inout CatalogueInForce.State)
        -> CataloguePublication?
    {
        if let publication = state.publication { return publication }
        guard let (fresh, stale) = state.answers else { return nil }
        let publication = CataloguePublication(
            fresh: fresh, stale: stale, decide: state.serving(wallClock, uptime)
        ) { [weak self] request in
            guard let self else { return false }
            return decide(on: request, in: self.variant(for: request), mayWait: false).refresh != nil
        } replacement: { [weak self, weak variant] in
            guard let self, let variant else { return nil }
            return variant.withLock { self.publication(of: variant, &$0) }
        }
        state.publish(publication)
        return publication
    }

    func variant(for request: ProductsRequest) -> CatalogueInForce {
        onlyVariant ?? variants.variant(variants.division.key(of: request))
    }

    /// Returns the running refresh; starts one if none runs, or if the order supersedes it. The caller holds the lock,
    /// so only one outcome counts: a superseded refresh is cancelled and returns the outcome of its successor.
    ///
    /// - Parameter request: from ``refresh(for:isWaiting:)``; made only if a refresh is started, so that requests that
    ///   join a running one hold the lock briefly.
    func startedRefresh(
        of variant: CatalogueInForce, _ state: inout CatalogueInForce.State,
        _ request: @autoclosure () -> ProductsRequest,
        supersedes: Bool = false, isFollowing: Bool = false
    ) -> Task<Outcome, Never> {
        if let running = state.refresh, !supersedes { return running }
        var request = request()
        (request.known, request.isRefresh) = (state.memory.snapshot == nil ? .nothing : state.memory.mark, true)
        let run = MemoryRefresh(order: request.order, isFollowing: isFollowing)
        // A pin is served before the upstream is asked, since that may hang.
        let look = stores.isEmpty ? nil : Task.detached { [self] in await lookForPin(in: variant, removes: false) }
        // The refresh belongs to the trace of the request that has started it.
        let span = Span.current
        let task = Task.detached(executorPreference: BackgroundExecutor.shared) { [self, request] in
            await look?.value
            return await Span.$current.withValue(span) { await refresh(variant, request, run) }
        }
        state.begin(task, run, look: look, at: uptime.now)
        variants.record(request.headers, of: variant, &state)
        return task
    }

    /// Returns the request of a refresh for a client's request, with only its deciding headers.
    ///
    /// - Parameter isWaiting: whether the client's request waits for it, so that the refresh belongs to its trace.
    func refresh(for request: ProductsRequest, isWaiting: Bool = false) -> ProductsRequest {
        var refresh = ProductsRequest(headers: variants.division.headers(of: request))
        refresh.cause = request.cause
        if isWaiting { refresh.explanation = request.explanation }
        return refresh
    }

    private func refresh(_ variant: CatalogueInForce, _ request: ProductsRequest, _ run: MemoryRefresh) async -> Outcome
    {
        // A superseded refresh does not wait for its upstream, which may hang.
        let ask: @concurrent @Sendable () async -> Outcome = { [traces, upstream] in
            do {
                return .success(try await traces.products(of: upstream, for: request))
            } catch {
                return .failure(ProductsFailure(error))
            }
        }
        let asked = await firstOutcome {
            await withTaskExecutorPreference(BackgroundExecutor.shared, operation: ask)
        }
        guard let outcome = asked else { return await run.outcomeOfSuccessor() }
        let (wall, now) = (wallClock.now(), uptime.now)
        let next = variant.withLock { state in
            state.override == nil ? state.memory.replacement(by: outcome, wall: wall, uptime: now) : nil
        }
        if let next {
            let limit =
                run.order?.supersedes == true || run.isFollowing
                ? min(next.slack, CatalogueSignal.haste) : next.slack
            await variants.signal.prepare((next.answer, next.replaced), within: limit, clock: clock)
        }
        // In a fleet, a pin may have arrived only with this refresh.
        let look = await look(in: variant)
        // The replaced state is released outside the lock: it may hold the last reference to many objects.
        typealias Ending = (
            transition: MemoryTransition, snapshot: ProductsSnapshot?, source: StaleSource?,
            isPinned: Bool, replaced: MemoryState
        )
        let ending = variant.withLock { state -> Ending? in
            guard state.run === run else { return nil }
            let replaced = state.memory
            meter.record(outcome, replacing: replaced.snapshot)
            let transition = state.finish(outcome, wall: wall, uptime: now, clockOrigin: wallClock.origin(at: wall))
            state.apply(
                look, removes: !isBehind(state), wall: wall, uptime: now, clockOrigin: wallClock.origin(at: wall))
            return (
                transition, state.memory.snapshot, state.memory.staleSource, state.override != nil, replaced
            )
        }
        guard let ending else { return await run.outcomeOfSuccessor() }
        log.source(ending.replaced.staleSource, ending.source, of: ending.snapshot, at: wallClock.now())
        log.ended(
            with: ending.transition, keeping: ending.snapshot, isPinned: ending.isPinned, for: request.cause,
            at: wallClock.now())
        if ending.replaced.isLate { log.lateEnded() }
        return outcome
    }
}
