internal import Concurrency
internal import CoreMetrics
internal import FoundationEssentials
internal import Health
internal import Logging
internal import Persistence
internal import Products

/// Runs one member of a fleet: carries out its effects, and keeps the products of its catalogues.
///
/// The member decides under a lock. Its effects are carried out off the lock: each command, examination and fetch is a
/// task that reports back. Timers run as long as the object lives; only the connection needs ``run(judge:)``.
package final class FleetCatalogue: Sendable {
    let state: Mutex<State>
    /// Identifies this catalogue in marks.
    let number = UInt32.random(in: 1..<UInt32.max)
    let settings: FleetMember.Settings
    let fingerprint: String
    let refill: (any ProductsStore)?
    let memory: FleetMemory
    /// The catalogue that the process served under the configuration before.
    let inherited: Inherited?
    let makeStorage: @Sendable () -> any FleetStorage
    let meter: FleetMeter
    let logger: Logger
    let clock: any Clock<Duration>
    let wallClock: WallClock
    let uptime: Uptime
    /// Signals a catalogue of another member, and another pin.
    let changed: ChangeSignal
    /// Signals every event.
    let handled = ChangeSignal()
    /// The troubles with the storage.
    let book: TroubleBook

    /// - Parameters:
    ///   - storage: makes the storage under the fingerprint of this configuration, anew for each connection's life.
    ///   - refill: has the catalogue from before the start.
    ///   - memory: the replica's records; by default none that outlasts the process.
    ///   - inherited: the catalogue of another configuration, served until there is a newer one.
    ///   - metricLabel: the store's label in metrics.
    ///   - changed: signals a catalogue of another member, and another pin.
    init(
        fingerprint: String, storage: @escaping @Sendable () -> any FleetStorage, settings: FleetMember.Settings,
        refill: (any ProductsStore)? = nil, memory: FleetMemory = FleetMemory(disk: nil), inherited: Inherited? = nil,
        logger: Logger, metricLabel: String = "", metrics: (any MetricsFactory)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system,
        changed: ChangeSignal = ChangeSignal()
    ) {
        (self.settings, self.fingerprint, self.refill, makeStorage) = (settings, fingerprint, refill, storage)
        (self.memory, self.inherited) = (memory, inherited)
        var member = settings
        member.wallClock = wallClock.now().milliseconds
        (self.logger, self.clock, self.wallClock, self.changed) = (logger, clock, wallClock, changed)
        uptime = Uptime(of: clock)
        book = TroubleBook(wallClock: wallClock)
        meter = FleetMeter(store: metricLabel, factory: metrics ?? NOOPMetricsHandler.instance)
        state = Mutex(State(member: FleetMember(settings: member)))
    }

    /// The products of a catalogue. Its place in the order of the fleet is in the member.
    struct LoadedCatalogue: Sendable {
        var snapshot: ProductsSnapshot
        /// Its pointer; nil for a catalogue that was never in the storage.
        var pointer: CataloguePointer?
        /// The snapshot from which the same blob can be made again.
        var encoded: ProductsSnapshot
        /// The steps of the answer that brought it; empty for another member's.
        var trail: [TrailStep] = []
        /// Counts the catalogues of the fleet; 0 for one from before the start.
        var sequence = 0
    }

    /// A catalogue of another configuration, with its place.
    typealias Inherited = (snapshot: ProductsSnapshot, place: FleetMember.PlacedCatalogue)

    /// The member, with its products, its tasks and the logged states. Every other fact is read from the member.
    struct State: Sendable {
        var member: FleetMember
        /// The gates of the current runs, or of the last one.
        var judges: [(run: Int, judge: (any CatalogueJudge)?)] = []
        var lastRun = 0
        /// The products of the member's `served` and `whole`.
        var served: LoadedCatalogue?
        var whole: LoadedCatalogue?
        /// The last catalogue of the own upstream, until it is served or another takes its place.
        var fetched: (snapshot: ProductsSnapshot, trail: [TrailStep])?
        /// The products of the event that is being handled.
        var examined: ProductsSnapshot?
        /// The catalogue of another configuration.
        var former: ProductsSnapshot?
        var sequence = 0

        var asks: [(id: FleetMember.AskID, revalidates: Bool, signals: AsyncStream<AskSignal>.Continuation)] = []
        var lastAsk = 0
        /// The operators' orders that wait for the storage.
        var orders: [FleetMember.AskID: CheckedContinuation<StorageFault?, Never>] = [:]
        /// The fetch that is assigned to a request and has not begun.
        var assigned: (fetch: FleetMember.FetchID, claim: Claim?, ask: FleetMember.AskID)?
        /// The failure of the last fetch, or its answer that is not shared. Requests whose outcome is `failed` get it.
        var lastFetch: Result<ProductsAnswer, any Error>?
        /// The blob to be written, until it is committed.
        var blob: CatalogueBlob?
        /// The name of a blob that could not be made again.
        var unmakable: String?
        /// Whether the catalogue from before the start was offered before the storage's clock was known.
        var isFoundByOwnClock = false

        var storage: (any FleetStorage)?
        /// The errors that were logged lately.
        var logged: Set<String> = []
        /// The version of the pin in the storage, as far as known.
        var storedPin = 0
        /// The attempts to keep the blob of the pin on disk.
        var blobTries = 0
        /// When a newer catalogue than the served one was first seen.
        var newerSince: Duration?

        var timer: (at: Duration, task: Task<Void, Never>)?
        var users = 0
        var driving: Task<Void, Never>?
    }

    enum AskSignal: Sendable {
        case fetch(FleetMember.FetchID, Claim?)
        case answer(FleetMember.AskOutcome)
        case late
    }

    /// The part of an effect that is carried out off the lock.
    enum Action: Sendable {
        case effect(FleetMember.Effect)
        case signal(AsyncStream<AskSignal>.Continuation, AskSignal)
        case carriedOut(CheckedContinuation<StorageFault?, Never>, StorageFault?)
        case given(after: Duration?)
    }

    /// Passes an event to the member, and carries out its effects.
    /// - Parameter prepare: changes the state together with the event.
    func handle(_ event: FleetMember.Event, _ prepare: (inout State) -> Void = { _ in }) {
        handle { state, _ in
            prepare(&state)
            return event
        }
    }

    /// Handles an event that is made from the state under the same lock.
    /// - Parameter make: returns nil for no event.
    func handle(_ make: (inout State, Duration) -> FleetMember.Event?) {
        let actions = state.withLock { state -> [Action] in
            let (now, pin, wasPinned) = (uptime.now, state.member.pin, state.member.servesPin)
            guard let event = make(&state, now) else { return [] }
            let effects = state.member.handle(event, at: now)
            let actions = effects.flatMap { apply($0, to: &state, wasPinned: wasPinned, at: now) }
            state.examined = nil
            if state.member.pin != pin, let pin = state.member.pin {
                state.blobTries = 0
                memory.change(fingerprint) { $0.pin = pin }
            }
            state.newerSince = state.member.wanted == nil ? nil : state.newerSince ?? now
            schedule(&state, at: now)
            return actions
        }
        for action in actions { perform(action) }
        handled.send()
    }

    private func schedule(_ state: inout State, at now: Duration) {
        let wake = state.member.nextWake
        guard wake != state.timer?.at else { return }
        state.timer?.task.cancel()
        state.timer = wake.map { wake in
            let task = Task.detached { [weak self, clock] in
                // An overdue wake waits, so that one that changes nothing does not spin.
                guard (try? await clock.sleep(for: max(.milliseconds(wake > now ? 0 : 5), wake - now))) != nil else {
                    return
                }
                self?.handle(.wake) { if $0.timer?.at == wake { $0.timer = nil } }
            }
            return (wake, task)
        }
    }

    deinit { state.withLock { $0.timer?.task.cancel() } }

    /// - Parameter wasPinned: whether a pinned catalogue was served before the event.
    private func apply(
        _ effect: FleetMember.Effect, to state: inout State, wasPinned: Bool, at now: Duration
    ) -> [Action] {
        let wall = wallClock.now()
        switch effect {
        case .adopt(let catalogue, let pointer, let isPinned):
            let revision = catalogue.revision
            let change = state.adopt(
                revision, pointer, isPinned: isPinned, wasPinned: wasPinned, at: now, wall: wall)
            remember(catalogue, pointer, isPinned: isPinned, state)
            return change.map { [.given(after: $0.delay)] } ?? []
        case .keep(let catalogue, let pointer):
            state.keep(catalogue.revision, pointer, wall: wall)
            return []
        case .confirm(let pointer):
            memory.change(fingerprint) { $0.confirm(pointer) }
            return state.confirm(pointer, at: now, wall: wall).map { [.given(after: $0.delay)] } ?? []
        case .answer(let id, let outcome):
            guard let index = state.asks.firstIndex(where: { $0.id == id }) else { return [] }
            return [.signal(state.asks.remove(at: index).signals, .answer(outcome))]
        case .carriedOut(let id, let fault):
            return state.orders.removeValue(forKey: id).map { [.carriedOut($0, fault)] } ?? []
        case .fetch(let id, let claim): return [assign(id, claim, in: &state)]
        case .send(let id, .release(let nonce, let cause, _), let limit):
            // The other members pause because of it.
            let seen = cause == .unused ? nil : state.lastFetch.flatMap { SeenFailure($0, by: settings.name) }
            return [.effect(.send(id, .release(nonce: nonce, cause, seen: seen), within: limit))]
        case .send, .examine, .encode, .accept, .note, .weigh: return [.effect(effect)]
        }
    }

    func perform(_ action: Action) {
        switch action {
        case .signal(let signals, let signal): signals.yield(signal)
        case .carriedOut(let order, let fault): order.resume(returning: fault)
        case .given(let delay):
            if let delay { meter.adopted(after: delay) }
            changed.send()
        case .effect(.send(let id, let command, let limit)):
            Task.detached { [self] in await send(id, command, within: limit) }
        case .effect(.examine(let pointer, let bytes)):
            Task.detached { [self] in await examine(pointer, bytes) }
        case .effect(.weigh(let id, let revision, let pointer)):
            Task.detached { [self] in await weigh(id, revision, against: pointer) }
        case .effect(.encode(let id, let revision)):
            Task.detached { [self] in await encode(revision, for: id) }
        case .effect(.fetch(let id, _)): handle(.fetched(id, .failed(.unused)))  // Nothing waits for it.
        case .effect(.accept(let revision)):
            for (_, judge) in state.withLock({ $0.judges }) { judge?.expect(revision: revision) }
        case .effect(.note(let note)): record(note)
        case .effect: break
        }
    }
}
