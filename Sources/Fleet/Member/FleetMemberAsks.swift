extension FleetMember {
    /// The requests for a newer catalogue, and how they are served: by the turn of the fleet, or alone.
    struct Turns: Sendable {
        enum Mode: Sendable {
            /// It needs the turn of the fleet.
            case wanting
            /// A newer catalogue is in the storage.
            case following
            /// The storage gave no reply.
            case alone
            /// It waits for the fetch that is under way.
            case joined
        }

        struct Ask: Sendable {
            var id: AskID
            var isForced: Bool
            var mode: Mode
            /// The time of the newest catalogue at the ask. A later one is an answer.
            var position: Int
        }

        struct Grant: Sendable {
            var claim: Claim
            /// The revision that a refill writes; nil for a refresh.
            var refill: String?
            var catalogue: CommittedCatalogue?
            var isWrittenTwice = false
            /// When it expires, unless it is prolonged.
            var until: Duration
            /// When it is prolonged next, and the last time for that.
            var renewal: Duration
            var end: Duration
        }

        enum Stage: Sendable {
            case none
            case asking
            case fetching(FetchID, Grant)
            case weighing(FetchID, Grant)
            case writing(Grant)
            case committing(Grant)
        }

        var asks: [Ask] = []
        var stage = Stage.none
        /// The turn that the member has.
        var grant: Grant? {
            get {
                switch stage {
                case .none, .asking: nil
                case .fetching(_, let grant), .weighing(_, let grant), .writing(let grant), .committing(let grant):
                    grant
                }
            }
            set {
                guard let grant = newValue else { return }
                switch stage {
                case .none, .asking: break
                case .fetching(let id, _): stage = .fetching(id, grant)
                case .weighing(let id, _): stage = .weighing(id, grant)
                case .writing: stage = .writing(grant)
                case .committing: stage = .committing(grant)
                }
            }
        }
        /// A fetch without a turn, the time it counts from, and when it began by the time of events.
        var alone: (id: FetchID, startedAt: Int, begun: Duration)?
        /// The nonce of a turn that may have been granted in a lost reply.
        var openNonce: String?
        /// The earliest time of the next request for the turn.
        var notBefore = Duration.zero
        /// The requests in a row that found the turn taken.
        var waits = 0
        var wasLinked = false
        /// The fetches in a row that did not reach the upstream.
        var unreachable = 0
        var abstainsUntil = Duration.zero
    }

    /// The time of the newest catalogue that the member serves or, under a pin, has seen.
    private var position: Int {
        isPinned ? max(servedTime, pointerTime) : servedTime
    }

    private var isFetching: Bool {
        if case .fetching(_, let grant) = turns.stage { return grant.refill == nil }
        return turns.alone != nil
    }

    var isIdle: Bool {
        if case .none = turns.stage { return turns.alone == nil }
        return false
    }

    mutating func asked(_ id: AskID, isForced: Bool, isAnew: Bool) {
        let mode: Turns.Mode = isFetching && !isForced && !isAnew ? .joined : .wanting
        // Without the storage's clock the time would be by the own one.
        let position = isAnew && follower.clock != nil ? max(position, clock) : position
        turns.asks.append(Turns.Ask(id: id, isForced: isForced, mode: mode, position: position))
    }

    mutating func followForAsks() { move({ $0.mode == .wanting && !$0.isForced }, to: .following) }

    mutating func goAlone(_ isMeant: (Turns.Mode) -> Bool) {
        move({ ($0.mode == .wanting || $0.mode == .following) && isMeant($0.mode) }, to: .alone)
    }

    mutating func move(_ isMeant: (Turns.Ask) -> Bool, to mode: Turns.Mode) {
        for index in turns.asks.indices where isMeant(turns.asks[index]) {
            turns.asks[index].mode = mode
        }
    }

    mutating func answer(_ outcome: AskOutcome, _ isMeant: (Turns.Ask) -> Bool) {
        guard turns.asks.contains(where: isMeant) else { return }
        for ask in turns.asks where isMeant(ask) {
            effects.append(.answer(ask.id, outcome))
        }
        turns.asks.removeAll(where: isMeant)
    }

    /// Lets the asks that wait for the turn try again soon.
    mutating func retryAsks() {
        if turns.notBefore > now {
            turns.notBefore = min(turns.notBefore, now + spread() + .milliseconds(1))
        }
    }

    var hasWanting: Bool { turns.asks.contains { $0.mode == .wanting } }
    private var firstLink: Duration { (begin ?? now) + .seconds(1) }

    var askWake: Duration? {
        guard isIdle, hasWanting else { return nil }
        if !isLinked { return turns.wasLinked ? nil : firstLink }
        return follower.hasRead ? turns.notBefore : nil
    }

    /// Answers the asks that can be answered, and takes the next step for the others.
    mutating func serveAsks() {
        guard !turns.asks.isEmpty else { return }
        let position = position
        if served != nil {
            answer(.served) { !$0.isForced && $0.position < position && $0.mode != .joined }
        }
        if !isFollowing {
            if served != nil {
                answer(.served) { $0.mode == .following }
            } else {
                move({ $0.mode == .following }, to: .wanting)
            }
        }
        guard isIdle else { return }
        if !isLinked, turns.wasLinked || firstLink <= now {
            goAlone { _ in true }
        }
        if turns.asks.contains(where: { $0.mode == .alone }) { return fetchAlone() }
        guard isLinked, follower.hasRead, hasWanting else { return }
        let isForced = turns.asks.contains { $0.mode == .wanting && $0.isForced }
        if !isForced, served != nil, turns.abstainsUntil > now, listeners != 1 {
            return answer(.paused(turns.abstainsUntil - now)) { $0.mode == .wanting }
        }
        guard turns.notBefore <= now else { return }
        // The newest catalogue behind a pin is older than the next refresh, too.
        var known = turns.asks.reduce(max(position, newestTime)) { $1.mode == .wanting ? max($0, $1.position) : $0 }
        if let pointer, isUnusable(pointer) {
            // This member cannot use it: only a later one helps.
            known = max(known, time(of: pointer.startedAt))
        }
        acquire(.refresh, knownStartedAt: known, isForced: isForced)
    }

    private mutating func fetchAlone() {
        if settings.whenUnavailable == .hold, served != nil {
            // A forced order goes on.
            answer(.unavailable) { $0.mode == .alone && !$0.isForced }
            guard turns.asks.contains(where: { $0.mode == .alone }) else { return }
        }
        lastNumber += 1
        turns.alone = (lastNumber, max(clock, servedTime + 1), now)
        move({ $0.mode != .following }, to: .joined)
        effects.append(.fetch(lastNumber, nil))
    }
}
