internal import Concurrency

/// State that several threads hold on to, and touch one at a time.
public final class Shared<State: Sendable>: Sendable {
    private let state: Mutex<State>

    /// Guards this state.
    public init(_ state: State) {
        self.state = Mutex(state)
    }

    /// Runs the body while no other thread has the state.
    public func withLock<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { body(&$0) }
    }
}
