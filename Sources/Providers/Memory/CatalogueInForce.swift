internal import Concurrency
internal import FoundationEssentials
internal import Products

/// The catalogue in force in one variant of a `memory`, and its refresh. A pinned catalogue stands in place of the
/// upstream's.
///
/// It is published with its first answer. Each change withdraws the publication, releases it and is signalled.
final class CatalogueInForce: Sendable {
    typealias Outcome = Result<ProductsAnswer, ProductsFailure>

    /// The state under the lock.
    struct State: Sendable {
        /// The catalogue of the upstream.
        private(set) var memory: MemoryState
        /// The pinned catalogue, which is served in place of the upstream's.
        fileprivate(set) var override: CatalogueOverride?
        /// The lookup of a pin at the start of the running refresh.
        private(set) var look: Task<Void, Never>?
        /// The numbers of the last pin lookup that began, and of the last one that was applied.
        fileprivate var lastLookup = 0
        fileprivate var endedLookup = 0
        /// The publication of the served catalogue, withdrawn when it changes; nil until the first answer.
        private(set) var publication: CataloguePublication?
        private(set) var refresh: Task<Outcome, Never>?
        /// Identifies the refresh that runs.
        private(set) var run: MemoryRefresh?
        private(set) var refreshStart = Duration.zero
        /// The wait for the refresh, shared by all requests that may get a stale answer; nil if it takes too long.
        private(set) var wait: Task<Outcome?, Never>?
        /// The deciding headers of a request of this variant, for background refreshes; nil while no request is known.
        var headers: [String: String]?
        /// Whether requests get another answer than before, and the publication to be released.
        private var hasChanged = false
        private var withdrawn: CataloguePublication?

        fileprivate init(memory: MemoryState, override: CatalogueOverride?) {
            (self.memory, self.override) = (memory, override)
        }

        /// Begins a refresh, which supersedes a running one.
        mutating func begin(
            _ task: Task<Outcome, Never>, _ run: MemoryRefresh, look: Task<Void, Never>?, at uptime: Duration
        ) {
            self.run?.supersede(by: task)
            refresh?.cancel()
            (refresh, self.run, wait, self.look, refreshStart) = (task, run, nil, look, uptime)
        }

        /// Has the requests share a wait for the refresh.
        mutating func share(_ wait: Task<Outcome?, Never>) { self.wait = wait }

        /// Publishes the served catalogue.
        mutating func publish(_ publication: CataloguePublication) { self.publication = publication }

        /// Serves the upstream's catalogue in place of a pinned one.
        mutating func dropOverride() {
            if override.take() != nil { withdraw() }
        }

        /// Ends the refresh.
        mutating func finish(_ outcome: Outcome, wall: Date, uptime: Duration, clockOrigin: Date) -> MemoryTransition {
            (refresh, run, wait, look) = (nil, nil, nil, nil)
            withdraw()
            return memory.finish(outcome, wall: wall, uptime: uptime, clockOrigin: clockOrigin)
        }

        /// Redates what is served if the wall clock was set back.
        mutating func follow(_ clockOrigin: Date, at wall: Date) {
            guard memory.follow(clockOrigin) else { return }
            override = override?.checked(at: wall)
            withdraw()
        }

        /// Makes a refresh due, behind the next answer at the latest.
        mutating func expectChange() {
            memory.expectChange()
            withdraw()
        }

        /// Records that the refresh takes longer than requests wait.
        ///
        /// - Returns: whether a catalogue can be served meanwhile.
        mutating func fallBehind(wall: Date, uptime: Duration) -> Bool {
            withdraw()
            return memory.fallBehind(wall: wall, uptime: uptime)
        }

        /// Whether the running refresh has taken longer than requests wait for one.
        func isLate(at uptime: Duration) -> Bool {
            refresh != nil && uptime - refreshStart >= memory.policy.maxWait
        }

        /// Withdraws the publication, since requests get another answer from now on.
        private mutating func withdraw() {
            publication?.withdraw()
            (hasChanged, withdrawn) = (true, publication.take() ?? withdrawn)
        }

        /// Returns whether requests get another answer since the last call, and the publication to be released.
        fileprivate mutating func takeChange() -> (isMade: Bool, withdrawn: CataloguePublication?) {
            defer { hasChanged = false }
            return (hasChanged, withdrawn.take())
        }
    }

    private let signal: CatalogueSignal
    private let state: Mutex<State>

    init(memory: MemoryState, override: CatalogueOverride? = nil, signal: CatalogueSignal) {
        self.signal = signal
        state = Mutex(State(memory: memory, override: override))
    }

    /// Reads or changes the state. A change is signalled, and a withdrawn publication released, outside the lock, also if
    /// the body throws.
    func withLock<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let (result, change) = state.withLock { state in
            let result = Result { () throws(Failure) in try body(&state) }
            return (result, state.takeChange())
        }
        change.withdrawn?.release()
        if change.isMade { signal.send() }
        return try result.get()
    }
}

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

extension CatalogueInForce.State {
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
            return { [memory, sure = memory.surelyFresh] wall in
                if memory.isSetBack(to: wallClock.origin(at: wall)) { return nil }
                if let sure, wall.timeIntervalSinceReferenceDate < sure.wall, uptime.seconds < sure.uptime {
                    return CataloguePublication.Serving(isStale: false, isRefreshDue: false)
                }
                return memory.serving(wall: wall, uptime: uptime.now)
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

extension CatalogueInForce.State {
    /// Returns the number of a lookup that begins.
    mutating func beginLookup() -> Int {
        lastLookup += 1
        return lastLookup
    }

    /// Applies the result of a lookup.
    ///
    /// - Parameter removes: whether the memory's own catalogue is served again if nothing is pinned.
    mutating func apply(_ lookup: PinLookup, removes: Bool, wall: Date, uptime: Duration, clockOrigin: Date) {
        guard lookup.number > endedLookup, lookup.found != nil || override == nil || removes else { return }
        endedLookup = lookup.number
        guard override != nil || lookup.found != nil else { return }
        if lookup.found == nil, let override {
            memory.replaceUnservable(
                by: override.pinned.snapshot, wall: wall, uptime: uptime, clockOrigin: clockOrigin)
        }
        override = lookup.found
        withdraw()
    }
}
