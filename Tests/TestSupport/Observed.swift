internal import Concurrency

/// State that a test can wait on. Each change is compared with all awaited conditions under the lock, so that none is
/// missed.
public final class Observed<State: Sendable>: Sendable {
    private struct Watcher {
        let id: Int
        let isMet: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Guarded {
        var state: State
        var watchers: [Watcher] = []
        var nextID = 0
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

    /// Returns as soon as the state meets the condition, or the task is cancelled.
    public func wait(until isMet: @escaping @Sendable (State) -> Bool) async {
        let id = guarded.withLock { guarded in
            guarded.nextID += 1
            return guarded.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = guarded.withLock { guarded in
                    guard !isMet(guarded.state), !Task.isCancelled else { return true }
                    guarded.watchers.append(Watcher(id: id, isMet: isMet, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let cancelled = guarded.withLock { guarded in
                guarded.watchers.firstIndex { $0.id == id }.map { guarded.watchers.remove(at: $0) }
            }
            cancelled?.continuation.resume()
        }
    }
}
