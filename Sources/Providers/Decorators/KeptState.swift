internal import Concurrency

/// A provider's state that a reload hands on to its successor, with the clock of whose readings the times in it are.
final class KeptState<State: Sendable>: Sendable {
    private let uptime: Uptime
    private let state: Mutex<State>

    /// Begins with this state at time zero.
    init(_ state: State, clock: some Clock<Duration>) {
        uptime = Uptime(of: clock)
        self.state = Mutex(state)
    }

    /// Runs `body` while nobody else has the state, and tells it the time, which never goes back from one run to the
    /// next.
    func update<Value: Sendable>(_ body: (inout State, Duration) -> Value) -> Value {
        state.withLock { body(&$0, uptime.now) }
    }
}
