internal import Concurrency

/// State that a test can wait on: every change is shown to those who wait, at once and under the lock, so no change is
/// missed.
public final class Observed<State: Sendable>: Sendable {
    private struct Watcher {
        let isMet: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Guarded {
        var state: State
        var watchers: [Watcher] = []
    }

    private let guarded: Mutex<Guarded>

    /// Begins with this state.
    public init(_ state: State) {
        guarded = Mutex(Guarded(state: state))
    }

    /// The state now.
    public var value: State { guarded.withLock(\.state) }

    /// Changes the state. What the closure gives back, this gives back.
    @discardableResult
    public func update<Value: Sendable>(_ change: @Sendable (inout State) -> Value) -> Value {
        let (value, met) = guarded.withLock { guarded in
            let value = change(&guarded.state)
            let met = guarded.watchers.filter { $0.isMet(guarded.state) }
            guarded.watchers.removeAll { $0.isMet(guarded.state) }
            return (value, met)
        }
        for watcher in met { watcher.continuation.resume() }
        return value
    }

    /// Returns as soon as the state meets the condition.
    public func wait(until isMet: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = guarded.withLock { guarded in
                guard !isMet(guarded.state) else { return true }
                guarded.watchers.append(Watcher(isMet: isMet, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
