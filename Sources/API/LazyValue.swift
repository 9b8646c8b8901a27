internal import Locks

/// What is made when it is first asked for: once, off the event loops, however many want it at that moment.
package final class LazyValue<Value: Sendable>: Sendable {
    private enum State {
        case running(Task<Value, Never>)
        case kept(Value)
    }

    private let make: @Sendable () -> Value
    private let state = Mutex<State?>(nil)

    init(make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value, if it has been made.
    var kept: Value? {
        state.withLock { if case .kept(let value) = $0 { value } else { nil } }
    }

    /// The value, as soon as there is one.
    var value: Value {
        get async {
            switch state.withLock({ started(&$0) }) {
            case .kept(let value): value
            case .running(let task): await task.value
            }
        }
    }

    private func started(_ state: inout State?) -> State {
        if let state { return state }
        let started = State.running(
            Task.detached { [self] in
                let value = make()
                self.state.withLock { $0 = .kept(value) }
                return value
            })
        state = started
        return started
    }
}
