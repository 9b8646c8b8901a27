/// A value that is made when it is first wanted, and kept. All callers get the same one.
package final class Lazy<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case unmade
        case running(Task<Value, Never>)
        case kept(Value)
    }

    @usableFromInline let make: @Sendable () -> Value
    @usableFromInline let state = Mutex(State.unmade)

    /// Creates a value that `make` makes later.
    @inlinable
    package init(make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value, if it has been made.
    @inlinable package var kept: Value? {
        state.withLock { if case .kept(let value) = $0 { value } else { nil } }
    }

    /// The value, made on the calling thread. Callers of the same first moment each make one, rather than block a thread
    /// each, and the first to be done counts.
    @inlinable package var value: Value { kept ?? keep(make()) }

    /// The value, made once off the event loops, however many want it at that moment.
    @inlinable
    package func made() async -> Value {
        let running: Task<Value, Never>? = state.withLock { state in
            switch state {
            case .kept: return nil
            case .running(let task): return task
            case .unmade:
                let task = Task.detached { [self] in keep(make()) }
                state = .running(task)
                return task
            }
        }
        return await running?.value ?? value
    }

    @inlinable
    func keep(_ made: Value) -> Value {
        state.withLock { state in
            if case .kept(let value) = state { return value }
            state = .kept(made)
            return made
        }
    }
}
