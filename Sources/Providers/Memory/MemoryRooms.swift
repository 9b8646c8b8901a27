internal import Concurrency
internal import FoundationEssentials
internal import Products

/// The rooms of one `memory`, for one division of the requests. They are made when they are first wanted, and there are
/// never more than the division has parts.
///
/// On a reload the successor begins with copies, so that it can be refused and leaves no trace. Until its own upstream
/// has given an answer to a part of the requests, it is also told what the predecessor gets for that part.
final class MemoryRooms: Sendable {
    private struct State {
        var rooms: [RequestDivision.Key: MemoryRoom] = [:]
        /// The youngest successor; weak, because it may have been refused.
        weak var heir: MemoryRooms?
    }

    let division: RequestDivision
    let policy: FreshnessPolicy
    /// The name of the `memory`.
    let node: String
    /// One clock for all whose rooms follow each other.
    let uptime: Uptime
    /// The rooms of which a request is known, as they come, for whoever refreshes them in the background.
    let (refreshable, becameRefreshable) = AsyncStream.makeStream(of: MemoryRoom.self)
    /// Whether what is asked is not what the predecessor asks.
    private let isElsewhere: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - uptime: the clock, where there is no predecessor.
    ///   - previous: the predecessor's rooms. Under another division the same key would mean other requests, and these
    ///     would be shown what is not theirs; so nothing of them is used then but the clock.
    ///   - isElsewhere: whether what is asked now is not what the predecessor asks: then it is asked at once.
    init(
        division: RequestDivision, policy: FreshnessPolicy, node: String, uptime: Uptime,
        following previous: MemoryRooms? = nil, isElsewhere: Bool = false
    ) {
        self.isElsewhere = isElsewhere
        self.division = division
        self.policy = policy
        self.node = node
        self.uptime = previous?.uptime ?? uptime
        guard let previous, previous.division.identity == division.identity else { return }
        previous.state.withLock { $0.heir = self }
        for room in previous.all { _ = copy(of: room) }
    }

    /// The rooms there are.
    var all: [MemoryRoom] { state.withLock { Array($0.rooms.values) } }

    /// The room with this key, made empty when it is not there.
    func room(_ key: RequestDivision.Key) -> MemoryRoom {
        room(key) { MemoryRoom(key: key, memory: MemoryState(policy: policy, node: node)) }
    }

    /// Takes note of the deciding headers of a request that belongs to the room, whose lock is held.
    func note(_ headers: [String: String], of room: MemoryRoom, _ state: inout MemoryRoom.State) {
        guard state.headers == nil else { return }
        state.headers = headers
        becameRefreshable.yield(room)
    }

    /// Tells the successor, if there is one, what a refresh of the room has brought.
    func handOn(_ room: MemoryRoom, wall: Date) {
        guard let heir = state.withLock({ $0.heir }) else { return }
        let memory = room.state.withLock { $0.memory }
        let copy = heir.copy(of: room)
        copy.state.withLock { $0.memory.inherit(memory, wall: wall, uptime: uptime.now) }
        heir.handOn(copy, wall: wall)
    }

    /// The room that takes the place of a predecessor's, made like that when it is not there.
    private func copy(of old: MemoryRoom) -> MemoryRoom {
        room(old.key) {
            let (memory, headers) = old.state.withLock { ($0.memory, $0.headers) }
            let room = MemoryRoom(key: old.key, memory: memory.handedOn(policy, node: node, isDue: isElsewhere))
            if let headers, division.key(of: ProductsRequest(headers: headers)) == old.key {
                room.state.withLock { note(headers, of: room, &$0) }
            }
            return room
        }
    }

    private func room(_ key: RequestDivision.Key, _ make: () -> MemoryRoom) -> MemoryRoom {
        state.withLock { state in
            if let room = state.rooms[key] { return room }
            let room = make()
            state.rooms[key] = room
            return room
        }
    }
}

/// Where `memory` keeps what belongs to one part of the requests, and the refresh of it that runs.
final class MemoryRoom: Sendable {
    typealias Outcome = Result<ProductsAnswer, ProductsFailure>

    /// What the lock guards.
    struct State {
        var memory: MemoryState
        var refresh: Task<Outcome, Never>?
        /// The uptime when the last refresh was started.
        var refreshStart = Duration.zero
        /// The wait for it of all requests that may have a stale answer: gives nil when it takes too long.
        var wait: Task<Outcome?, Never>?
        /// The deciding headers of a request of this part, for a refresh that no request causes; nil while no request
        /// is known.
        var headers: [String: String]?

        /// Whether a refresh has been under way for so long that it is worth a look.
        func isSlow(at uptime: Duration) -> Bool { refresh != nil && uptime - refreshStart > .seconds(2) }
    }

    /// The requests that it is for.
    let key: RequestDivision.Key
    let state: Mutex<State>

    init(key: RequestDivision.Key, memory: MemoryState, headers: [String: String]? = nil) {
        self.key = key
        state = Mutex(State(memory: memory, headers: headers))
    }
}
