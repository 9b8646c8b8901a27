internal import Concurrency
internal import Configuration
internal import FoundationEssentials
internal import Synchronization

/// Gets events to the endpoint: at once, or as soon as it works again.
///
/// A failure sends this event and all that follow to the backlog, so that nobody waits behind an endpoint that is down.
/// One task then tries the backlog after a pause that grows with each failure. What fails again and again while others
/// get through is tried at each look through the backlog, and does not count as the endpoint being down. Delivery is at least once: an endpoint
/// that took a request and did not live to say so is sent it again.
final class GoogleAnalyticsDelivery: Sendable {
    /// How many requests are under way at once.
    private static let width = 4
    /// How much of the closing deadline is for what is under way. The rest is for the backlog.
    private static let shareOfDelivery = 0.75
    /// How long a backlog that cannot be worked off is left alone.
    private static let pauseOfBacklog: Duration = .seconds(60)

    private let endpoint: GoogleAnalyticsEndpoint
    private let backlog: any EventBacklog
    private let tally: AnalyticsTally
    private let state: DeliveryState
    private let environment: AnalyticsEnvironment
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let worker = Concurrency.Mutex<Task<Void, Never>?>(nil)
    private let isClosed = Atomic(false)

    init(
        endpoint: GoogleAnalyticsEndpoint, backlog: any EventBacklog, tally: AnalyticsTally, state: DeliveryState,
        environment: AnalyticsEnvironment
    ) {
        self.endpoint = endpoint
        self.backlog = backlog
        self.tally = tally
        self.state = state
        self.environment = environment
        (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Delivers the events or puts them aside. Cancelling the task ends what is under way; all goes aside then.
    func take(_ events: [GoogleAnalyticsEvent]) async {
        let rest = state.isDown || Task.isCancelled ? events : await deliver(events)
        guard !rest.isEmpty else { return }
        do {
            if try await !backlog.add(rest) { state.noteRoom(false) }
            state.noteKeeping(nil)
        } catch {
            state.noteKeeping(error)
        }
        wake.yield()
    }

    /// How many bytes wait for another try.
    var backlogBytes: Int { backlog.size }

    /// Begins with what an earlier process has left. Call once, when it is certain that the sink will be used; events
    /// that come before are tried once all the same.
    func start() {
        let task = Task.detached { [self] in await work() }
        worker.withLock { $0 = task }
        wake.yield()
    }

    /// Tries no more, and returns when what was under way has come to its end or been put back, at the latest after
    /// `deadline`. Who would only wait for the next try is not waited for.
    func close(within deadline: Duration) async {
        isClosed.store(true, ordering: .relaxed)
        wake.finish()
        if let task = worker.withLock({ $0 }) {
            if state.isDown { task.cancel() }
            let alarm = Task {
                try await environment.clock.sleep(for: deadline / 2)
                task.cancel()
            }
            await task.end(within: deadline * Self.shareOfDelivery, clock: environment.clock)
            alarm.cancel()
        }
        let closing = Task { [backlog] in await backlog.close() }
        await closing.end(within: deadline * (1 - Self.shareOfDelivery), clock: environment.clock)
    }

    private func work() async {
        var alarm = nextLook()
        for await _ in wakeUps {
            alarm?.cancel()
            while !Task.isCancelled, !isClosed.load(ordering: .relaxed), await tryAgain() {}
            alarm = nextLook()
        }
        alarm?.cancel()
    }

    /// Others may leave something in the backlog and tell nobody: a sink that was replaced, a process that is gone.
    private func nextLook() -> Task<Void, any Error>? {
        environment.rescan.map { pause in
            Task { [clock = environment.clock, wake] in
                try await clock.sleep(for: pause)
                wake.yield()
            }
        }
    }

    /// Whether there may be more to do.
    private func tryAgain() async -> Bool {
        if let pause = state.pause(jitter: environment.jitter()) {
            guard (try? await environment.clock.sleep(for: pause)) != nil else { return false }
        }
        let isTried = Atomic(false)
        do {
            let look = try await backlog.withOldest(since: cutoff) { [self] portion in
                isTried.store(true, ordering: .relaxed)
                return await deliver(portion.events, isSuspect: portion.isSuspect)
            }
            return note(look)
        } catch {
            state.noteTaking(error)
            if !isTried.load(ordering: .relaxed) { state.letTry() }
            return (try? await environment.clock.sleep(for: Self.pauseOfBacklog)) != nil
        }
    }

    /// Whether there is more to do at once. What is suspected to fail whatever the endpoint does is left alone until the
    /// next look.
    private func note(_ look: BacklogLook) -> Bool {
        switch look {
        case .nothing:
            state.noteTaking(nil)
            state.noteRoom(true)
            state.letTry()
            return false
        case .delivered:
            state.noteRoom(true)
            return true
        case .kept(let isSuspect):
            return !isSuspect
        }
    }

    /// From when on events are young enough.
    private var cutoff: Int64 {
        GoogleAnalyticsEvent.microseconds(environment.now() - GoogleAnalyticsLimits.age / .seconds(1))
    }

    /// - Returns: the events that have to wait.
    private func deliver(_ events: [GoogleAnalyticsEvent], isSuspect: Bool = false) async -> [GoogleAnalyticsEvent] {
        let (packs, tooLarge) = GoogleAnalyticsPack.packing(events)
        tally.noteDropped(tooLarge, .tooLarge)
        guard !packs.isEmpty else { return [] }
        let queue = PackQueue(packs)
        let secret = await endpoint.currentSecret()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(Self.width, packs.count) {
                group.addTask { [self] in
                    while !Task.isCancelled, let pack = queue.next() { queue.note(await send(pack, secret), of: pack) }
                }
            }
        }
        let (rest, verdict) = queue.result
        state.note(verdict, isSuspect: isSuspect)
        return rest
    }

    private func send(_ pack: GoogleAnalyticsPack, _ secret: Secret) async -> GoogleAnalyticsEndpoint.Outcome {
        let outcome = await endpoint.send(pack, secret)
        switch outcome {
        case .delivered: tally.noteSent(pack.events.map(\.name))
        case .refused: tally.noteDropped(pack.events.count, .refused)
        case .failed, .interrupted: break
        }
        return outcome
    }
}
