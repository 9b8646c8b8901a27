/// Signals changes to any number of listeners.
package final class ChangeSignal: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Yields after each change. Several changes that were not read yet are yielded once. Each reader has its own
    /// stream, which ends with the signal or the reader's task.
    package var changes: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    package func send() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }
}
