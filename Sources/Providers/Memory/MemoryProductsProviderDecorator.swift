package import Concurrency
package import Logging
package import Products
internal import Tracing

/// Keeps the last answer and decides when its upstream is asked again.
///
/// Each variant of the upstream's answers has a room with an answer and a refresh of its own, made on first use. The
/// answer in it is never given to requests of another variant.
///
/// One refresh of a room runs at a time, whatever the load, off the event loops. It belongs to this provider and not to
/// the request that caused it, and takes only the deciding headers of that, so no client can cancel it or slow it down
/// for others. A failing upstream is left alone for a while and costs requests nothing. `FreshnessPolicy` is the model,
/// `MemoryState` makes the decisions.
package final class MemoryProductsProviderDecorator: ProductsProvider {
    typealias Outcome = MemoryVariant.Outcome

    let clock: any Clock<Duration>
    let uptime: Uptime
    let rooms: MemoryVariants
    let wallClock: WallClock
    private let upstream: any ProductsProvider
    private let log: MemoryLog
    private let meter: RefreshMeter
    private let traces: RefreshTraces
    private let preparation: CataloguePreparation
    /// The room of all requests, where they all get the same answer.
    private let onlyRoom: MemoryVariant?

    /// Decorates `upstream`, and keeps its answers in these rooms, which no other `memory` uses.
    package init(
        upstream: any ProductsProvider, rooms: MemoryVariants, wallClock: WallClock, clock: any Clock<Duration>,
        logger: Logger, meter: RefreshMeter = RefreshMeter(), traces: RefreshTraces = RefreshTraces(),
        preparation: CataloguePreparation = CataloguePreparation()
    ) {
        self.upstream = upstream
        self.rooms = rooms
        self.wallClock = wallClock
        self.clock = clock
        log = MemoryLog(logger: logger, node: rooms.node)
        self.meter = meter
        self.traces = traces
        self.preparation = preparation
        uptime = rooms.uptime
        onlyRoom = rooms.division.isWhole ? rooms.room([]) : nil
    }

    /// Returns the kept answer or a new one, as the snapshot's age demands; throws `unavailable` without one to serve. The
    /// answer has a lease on the catalogue in the room.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let room = room(for: request)
        let (decision, refresh, reason) = decide(on: request, RequestIdentity.current, in: room, mayWait: true)
        switch decision {
        case .answer(let answer, _): return answer
        case .refuse(let failure): throw failure
        case .wait:
            guard let refresh else { throw CancellationError() }
            let early = await outcome(of: refresh, in: room)
            let late = room.state.withLock { state -> ProductsAnswer? in
                guard early == nil else { return nil }
                let answer = state.memory.answerWhileLate(wall: wallClock.now(), uptime: uptime.now)
                return answer.map { leased($0, in: room, &state) }
            }
            if let late { return late }
            let outcome = if let early { early } else { await refresh.value }
            return try room.state.withLock { state throws(ProductsFailure) in
                let answer = try state.memory.answerAfterWaiting(
                    outcome, reason: reason, wall: wallClock.now(), uptime: uptime.now)
                return leased(answer, in: room, &state)
            }
        }
    }

    /// Decides about a request, and returns the refresh that runs for it or behind its answer.
    ///
    /// - Parameter mayWait: whether a refresh is started also where the request has to wait for it.
    func decide(
        on request: ProductsRequest, _ cause: @autoclosure () -> (any RequestIdentitySource)?, in room: MemoryVariant,
        mayWait: Bool
    ) -> (decision: MemoryState.Decision, refresh: Task<Outcome, Never>?, reason: Freshness.ForwardReason) {
        // Released without the lock.
        var replaced: CataloguePublication?
        defer { replaced?.release() }
        return room.state.withLock { state in
            let wall = wallClock.now()
            if state.memory.follow(wallClock.origin(at: wall)) { replaced = state.withdrawn() }
            var decision = state.memory.decide(wall: wall, uptime: uptime.now)
            let refresh: Task<Outcome, Never>? =
                switch decision {
                case .wait where mayWait:
                    startedRefresh(
                        of: room, &state, rooms.division.headers(of: request), cause: cause(),
                        explanation: Explanation.current)
                case .answer(_, refreshing: true):
                    startedRefresh(of: room, &state, rooms.division.headers(of: request), cause: cause())
                case .answer, .refuse, .wait: nil
                }
            if case .answer(let answer, let refreshing) = decision {
                decision = .answer(leased(answer, in: room, &state), refreshing: refreshing)
            }
            return (decision, refresh, state.memory.snapshot == nil ? .miss : .stale)
        }
    }

    private func leased(
        _ answer: ProductsAnswer, in room: MemoryVariant, _ state: inout MemoryVariant.State
    ) -> ProductsAnswer {
        publication(of: room, &state).map(answer.leasing) ?? answer
    }

    /// Returns the publication of what the room holds; nil where it holds nothing.
    private func publication(of room: MemoryVariant, _ state: inout MemoryVariant.State) -> CataloguePublication? {
        if let publication = state.publication { return publication }
        state.publication = state.memory.published(by: self, wallClock, uptime) { [weak self] request, cause in
            guard let self else { return false }
            return decide(on: request, cause, in: self.room(for: request), mayWait: false).refresh != nil
        } replacement: { [weak self, weak room] in
            guard let self, let room else { return nil }
            return room.state.withLock { publication(of: room, &$0) }
        }
        return state.publication
    }

    func room(for request: ProductsRequest) -> MemoryVariant {
        onlyRoom ?? rooms.room(rooms.division.key(of: request))
    }

    /// Returns the running refresh; starts one if there is none, or if the order supersedes it. The caller holds the lock,
    /// so there is never a second whose outcome counts: a superseded refresh is cancelled and gives its successor's.
    ///
    /// The refresh is a task of its own, to which the cause and the explanation are handed over. They and the deciding
    /// headers are found only for a refresh that is started, so that requests which join a running one hold the lock no
    /// longer than it takes to find it.
    func startedRefresh(
        of room: MemoryVariant, _ state: inout MemoryVariant.State, _ headers: @autoclosure () -> [String: String],
        cause: @autoclosure () -> (any RequestIdentitySource)? = nil,
        explanation: @autoclosure () -> Explanation? = nil, order: RefreshOrder? = nil
    ) -> Task<Outcome, Never> {
        if let running = state.refresh, order?.supersedes != true { return running }
        let (headers, cause, explanation) = (headers(), cause(), explanation())
        var request = ProductsRequest(headers: headers, revalidates: order?.revalidates ?? false)
        // A refresh that requests wait for brings what is pinned at once.
        request.waitsBehindPin =
            state.memory.pin != nil
            && order.map { !$0.isUrgent } ?? (state.memory.serving(wall: wallClock.now(), uptime: uptime.now) != nil)
        let run = MemoryRefresh(order: order)
        let task = Task.detached(executorPreference: BackgroundExecutor.shared) { [self] in
            await MemoryRefresh.$isCurrent.withValue(true) {
                await RefreshOrder.$current.withValue(order) {
                    await RequestIdentity.$current.withValue(cause) {
                        await Explanation.$current.withValue(explanation) { await refresh(room, request, run) }
                    }
                }
            }
        }
        state.run?.supersede(by: task)
        state.refresh?.cancel()
        (state.refresh, state.run, state.wait) = (task, run, nil)
        state.refreshStart = uptime.now
        rooms.record(headers, of: room, &state)
        return task
    }

    private func refresh(_ room: MemoryVariant, _ request: ProductsRequest, _ run: MemoryRefresh) async -> Outcome {
        // A superseded refresh leaves its upstream behind, which may hang.
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
        if let next = room.state.withLock({ $0.memory.replacement(by: outcome, wall: wall, uptime: now) }) {
            let limit = run.order?.supersedes == true ? min(next.slack, CataloguePreparation.haste) : next.slack
            await preparation.run(next.answer, replacing: next.replaced, within: limit, clock: clock)
        }
        // The replaced state is released without the lock: it may hold the last reference to many objects.
        typealias Ending = (
            transition: MemoryTransition, snapshot: ProductsSnapshot?, source: StaleSource?, wasLate: Bool,
            replaced: (memory: MemoryState, publication: CataloguePublication?)
        )
        let ending = room.state.withLock { state -> Ending? in
            guard state.run === run else { return nil }
            let replaced = (memory: state.memory, publication: state.withdrawn())
            (state.refresh, state.run, state.wait) = (nil, nil, nil)
            let wasLate = state.memory.isLate
            meter.record(outcome, replacing: state.memory.snapshot)
            let transition = state.memory.finish(
                outcome, wall: wall, uptime: now, clockOrigin: wallClock.origin(at: wall),
                waitedBehindPin: request.waitsBehindPin)
            return (transition, state.memory.snapshot, state.memory.staleSource, wasLate, replaced)
        }
        guard let ending else { return await run.outcomeOfSuccessor() }
        ending.replaced.publication?.release()
        log.source(ending.replaced.memory.staleSource, ending.source, of: ending.snapshot, at: wallClock.now())
        log.ended(with: ending.transition, keeping: ending.snapshot, at: wallClock.now())
        if ending.wasLate { log.lateEnded() }
        return outcome
    }

    /// Returns the outcome of a refresh; nil when it takes longer than a request waits. The refresh goes on then, and
    /// until it ends no other request waits that may get a stale answer.
    func outcome(of refresh: Task<Outcome, Never>, in room: MemoryVariant) async -> Outcome? {
        let wait: Task<Outcome?, Never>? = room.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            if let wait = state.wait { return wait }
            let left = max(.zero, rooms.policy.maxWait - (uptime.now - state.refreshStart))
            let wait = Task.detached { [self] in
                let outcome = await firstOutcome(within: left, clock: clock) { await refresh.value }
                if outcome == nil { reportLate(refresh, in: room) }
                return outcome
            }
            state.wait = wait
            return wait
        }
        guard let wait else { return await refresh.value }
        return await wait.value
    }

    private func reportLate(_ refresh: Task<Outcome, Never>, in room: MemoryVariant) {
        let late: (isServable: Bool, replaced: CataloguePublication?)? = room.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            let isServable = state.memory.fallBehind(wall: wallClock.now(), uptime: uptime.now)
            return (isServable, state.withdrawn())
        }
        guard let late else { return }
        late.replaced?.release()
        log.late(isServing: late.isServable, limit: rooms.policy.maxWait)
    }
}
