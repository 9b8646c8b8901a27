internal import Locks
internal import Products

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
