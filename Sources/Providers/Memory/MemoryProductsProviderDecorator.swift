internal import FoundationEssentials
public import Logging
public import Products
internal import Locks

/// Keeps the last answer and decides when its upstream is asked again.
///
/// One refresh runs at a time, whatever the load. It belongs to this provider and not to the request that caused it, so
/// no client can cancel it or slow it down for others; it runs off the event loops. An upstream that fails is left
/// alone for a while and costs requests nothing. The model is `FreshnessPolicy`'s; the decisions are `MemoryState`'s.
public final class MemoryProductsProviderDecorator: ProductsProvider {
    typealias Outcome = Result<ProductsAnswer, ProductsFailure>

    private struct Guarded {
        var memory: MemoryState
        var refresh: Task<Outcome, Never>?
    }

    private let name: String
    private let upstream: any ProductsProvider
    private let wallClock: WallClock
    private let clock: any Clock<Duration>
    private let uptime: Uptime
    private let logger: Logger
    private let state: Mutex<Guarded>

    /// Decorates `upstream`.
    ///
    /// - Parameters:
    ///   - name: the node's name on trails and in the log.
    ///   - wallClock: what ages are measured by.
    ///   - clock: what pauses are measured by.
    public init<C: Clock>(
        name: String = "memory", upstream: any ProductsProvider, policy: FreshnessPolicy = FreshnessPolicy(),
        wallClock: WallClock = .system, clock: C = ContinuousClock(), logger: Logger
    ) where C.Duration == Duration {
        self.name = name
        self.upstream = upstream
        self.wallClock = wallClock
        self.clock = clock
        self.uptime = Uptime(of: clock)
        self.logger = logger
        state = Mutex(Guarded(memory: MemoryState(policy: policy, node: name)))
    }

    /// The kept answer or a new one, as the snapshot's age demands; `unavailable` when there is none to serve.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let (decision, refresh, reason) =
            state.withLock { state in
                let decision = state.memory.decide(wall: wallClock.now(), uptime: uptime.now)
                return (decision, runningRefresh(for: decision, &state), state.memory.snapshot == nil ? .miss : .stale)
            } as (MemoryState.Decision, Task<Outcome, Never>?, Freshness.ForwardReason)
        switch decision {
        case .answer(let answer, _): return answer
        case .refuse(let failure): throw failure
        case .wait:
            guard let refresh else { throw CancellationError() }
            let outcome = await refresh.value
            return try state.withLock { state throws(ProductsFailure) in
                try state.memory.answerAfterWaiting(
                    outcome, reason: reason, wall: wallClock.now(), uptime: uptime.now)
            }
        }
    }

    /// Refreshes whenever freshness ends, without being asked, until the task is cancelled.
    public func refreshInBackground() async throws {
        while !Task.isCancelled {
            let due = state.withLock { $0.memory.nextRefresh(uptime: uptime.now) }
            if due > .zero {
                try await clock.sleep(for: due)
            } else {
                _ = await state.withLock { startedRefresh(&$0) }.value
            }
        }
    }

    private func runningRefresh(for decision: MemoryState.Decision, _ state: inout Guarded) -> Task<Outcome, Never>? {
        switch decision {
        case .wait, .answer(_, refreshing: true): startedRefresh(&state)
        case .answer, .refuse: nil
        }
    }

    /// The refresh that runs, started if none does. The lock is held, so there is never a second one.
    private func startedRefresh(_ state: inout Guarded) -> Task<Outcome, Never> {
        if let running = state.refresh { return running }
        let lastGood = state.memory.snapshot
        let task = Task.detached { [self] in await refresh(lastGood: lastGood) }
        state.refresh = task
        return task
    }

    private func refresh(lastGood: ProductsSnapshot?) async -> Outcome {
        var request = ProductsRequest()
        request.lastGood = lastGood
        let outcome: Outcome
        do {
            outcome = .success(try await upstream.products(for: request))
        } catch {
            outcome = .failure(ProductsFailure(error))
        }
        let (transition, snapshot) = state.withLock { state in
            state.refresh = nil
            let transition = state.memory.finish(outcome, wall: wallClock.now(), uptime: uptime.now)
            return (transition, state.memory.snapshot)
        }
        report(transition, snapshot)
        return outcome
    }

    private func report(_ transition: MemoryState.Transition?, _ snapshot: ProductsSnapshot?) {
        var metadata: Logger.Metadata = ["provider": "\(name)"]
        if let snapshot {
            metadata["age_seconds"] = .stringConvertible(Int(snapshot.age(at: wallClock.now()).components.seconds))
            metadata["revision"] = "\(snapshot.revision)"
        }
        switch transition {
        case .wentOffline(let failure):
            metadata["reason"] = "\(failure.token)"
            metadata["error"] = "\(failure)"
            let consequence = snapshot == nil ? "nothing to serve" : "serving the last good catalogue"
            logger.warning("upstream fails, \(consequence)", metadata: metadata)
        case .recovered: logger.notice("upstream recovered", metadata: metadata)
        case nil: logger.debug("refresh ended, nothing new about the upstream", metadata: metadata)
        }
    }
}
