public import Concurrency
public import Configuration
public import Logging
public import Products
internal import Tracing

/// Keeps the last answer and decides when its upstream is asked again.
///
/// Where the upstream's answers vary by request headers, there is a room for each variant, with a last answer and a
/// refresh of its own; what is in one is never shown to requests of another. There are as many rooms as variants were
/// asked for, at most the product of the variants of all variations below.
///
/// One refresh of a room runs at a time, whatever the load. It belongs to this provider and not to the request that
/// caused it, of which it takes the deciding headers alone, so no client can cancel it or slow it down for others; it
/// runs off the event loops. An upstream that fails is left alone for a while and costs requests nothing. The model is
/// `FreshnessPolicy`'s; the decisions are `MemoryState`'s.
public final class MemoryProductsProviderDecorator: PromptProductsProvider {
    typealias Outcome = MemoryRoom.Outcome

    let clock: any Clock<Duration>
    let uptime: Uptime
    let rooms: MemoryRooms
    let wallClock: WallClock
    private let upstream: any ProductsProvider
    let logger: Logger
    private let meter: RefreshMeter
    /// The room of all requests, where they all get the same answer.
    private let onlyRoom: MemoryRoom?

    /// Decorates `upstream`.
    ///
    /// - Parameters:
    ///   - name: the node's name on trails and in the log.
    ///   - variations: how the upstream's answers vary.
    ///   - wallClock: what ages are measured by.
    ///   - clock: what pauses are measured by.
    public convenience init<C: Clock>(
        name: String = "memory", upstream: any ProductsProvider, policy: FreshnessPolicy = FreshnessPolicy(),
        variations: [RequestVariation] = [], wallClock: WallClock = .system, clock: C = ContinuousClock(),
        logger: Logger
    ) where C.Duration == Duration {
        let rooms = MemoryRooms(
            division: RequestDivision(variations), policy: policy, node: name, uptime: Uptime(of: clock))
        self.init(upstream: upstream, rooms: rooms, wallClock: wallClock, clock: clock, logger: logger)
    }

    /// Decorates `upstream`, and keeps its answers in these rooms, which nobody else uses.
    init(
        upstream: any ProductsProvider, rooms: MemoryRooms, wallClock: WallClock, clock: any Clock<Duration>,
        logger: Logger, meter: RefreshMeter = RefreshMeter()
    ) {
        self.upstream = upstream
        self.rooms = rooms
        self.wallClock = wallClock
        self.clock = clock
        self.logger = logger
        self.meter = meter
        uptime = rooms.uptime
        onlyRoom = rooms.division.isWhole ? rooms.room([]) : nil
    }

    /// The kept answer or a new one, as the snapshot's age demands; `unavailable` when there is none to serve.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let room = room(for: request)
        let (decision, refresh, reason) = decide(on: request, in: room, mayWait: true)
        switch decision {
        case .answer(let answer, _): return answer
        case .refuse(let failure): throw failure
        case .wait:
            guard let refresh else { throw CancellationError() }
            let early = await outcome(of: refresh, in: room)
            if early == nil, let answer = answerWhileLate(in: room) { return answer }
            let outcome = if let early { early } else { await refresh.value }
            return try room.state.withLock { state throws(ProductsFailure) in
                try state.memory.answerAfterWaiting(
                    outcome, reason: reason, wall: wallClock.now(), uptime: uptime.now)
            }
        }
    }

    private func answerWhileLate(in room: MemoryRoom) -> ProductsAnswer? {
        room.state.withLock { $0.memory.answerWhileLate(wall: wallClock.now(), uptime: uptime.now) }
    }

    /// The kept answer, with a refresh behind it where its age demands one, or `unavailable`; nil if there is a refresh
    /// to wait for.
    public func answerAtHand(for request: ProductsRequest) throws -> ProductsAnswer? {
        switch decide(on: request, in: room(for: request), mayWait: false).decision {
        case .answer(let answer, _): answer
        case .refuse(let failure): throw failure
        case .wait: nil
        }
    }

    /// What a request gets, and the refresh that runs for it or behind it.
    ///
    /// - Parameter mayWait: whether a refresh is started also where the request has to wait for it.
    private func decide(
        on request: ProductsRequest, in room: MemoryRoom, mayWait: Bool
    ) -> (decision: MemoryState.Decision, refresh: Task<Outcome, Never>?, reason: Freshness.ForwardReason) {
        room.state.withLock { state in
            let decision = state.memory.decide(wall: wallClock.now(), uptime: uptime.now)
            let refresh = runningRefresh(for: decision, of: room, &state, request, mayWait: mayWait)
            return (decision, refresh, state.memory.snapshot == nil ? .miss : .stale)
        }
    }

    /// The room of the requests like this one.
    func room(for request: ProductsRequest) -> MemoryRoom {
        onlyRoom ?? rooms.room(rooms.division.key(of: request))
    }

    /// The refresh that runs, started if none does. The lock is held, so there is never a second one.
    ///
    /// - Parameters:
    ///   - headers: the deciding ones, picked only for a refresh that has to be started: of a crowd that waits for one
    ///     that runs nobody holds the lock any longer than it takes to find it.
    ///   - cause: tells of the client's request that it is started for.
    ///   - explanation: who follows the request that causes it and waits for it.
    func startedRefresh(
        of room: MemoryRoom, _ state: inout MemoryRoom.State, _ headers: @autoclosure () -> [String: String],
        cause: (any RequestCauseSource)? = nil, explanation: Explanation? = nil
    ) -> Task<Outcome, Never> {
        if let running = state.refresh { return running }
        let headers = headers()
        let request = ProductsRequest(
            headers: headers, lastGood: state.memory.lastGood, isRefresh: true, explanation: explanation,
            cause: cause)
        let task = Task.detached { [self] in await refresh(room, request) }
        state.refresh = task
        state.refreshStart = uptime.now
        rooms.note(headers, of: room, &state)
        return task
    }

    private func runningRefresh(
        for decision: MemoryState.Decision, of room: MemoryRoom, _ state: inout MemoryRoom.State,
        _ request: ProductsRequest, mayWait: Bool
    ) -> Task<Outcome, Never>? {
        let explanation: Explanation?
        switch decision {
        case .wait where mayWait: explanation = request.explanation
        case .answer(_, refreshing: true): explanation = nil
        case .answer, .refuse, .wait: return nil
        }
        return startedRefresh(
            of: room, &state, rooms.division.headers(of: request), cause: request.source, explanation: explanation)
    }

    private func refresh(_ room: MemoryRoom, _ request: ProductsRequest) async -> Outcome {
        let outcome: Outcome
        do {
            outcome = .success(try await upstream.products(for: request))
        } catch {
            outcome = .failure(ProductsFailure(error))
        }
        // What is replaced is returned, to be released without the lock: it may be the last reference to many objects.
        let (transition, snapshot, wasLate, _) = room.state.withLock { state in
            let replaced = state.memory
            state.refresh = nil
            state.wait = nil
            let wasLate = state.memory.isLate
            meter.note(outcome, replacing: state.memory.snapshot)
            let transition = state.memory.finish(outcome, wall: wallClock.now(), uptime: uptime.now)
            return (transition, state.memory.snapshot, wasLate, replaced)
        }
        rooms.handOn(room, wall: wallClock.now())
        report(transition, snapshot, request.cause)
        if wasLate { logger.notice("the refresh that took long has ended", metadata: ["provider": "\(rooms.node)"]) }
        return outcome
    }

    private func report(_ transition: MemoryTransition, _ snapshot: ProductsSnapshot?, _ cause: RequestCause?) {
        var metadata = cause?.metadata ?? [:]
        metadata["provider"] = "\(rooms.node)"
        if let snapshot {
            metadata["age_seconds"] = .stringConvertible(Int(snapshot.age(at: wallClock.now()).components.seconds))
            metadata["revision"] = "\(snapshot.revision)"
        }
        guard let news = transition.news else {
            return logger.debug("refresh ended, nothing new about the upstream", metadata: metadata)
        }
        if let failure = transition.failure {
            metadata["reason"] = "\(failure.token)"
            metadata["error"] = "\(failure)"
        }
        logger.log(level: news.level, news.message, metadata: metadata)
    }
}
