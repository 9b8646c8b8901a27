internal import Locks

/// A place for one outcome that several tasks may bring. The first one counts, later ones are dropped.
final class FirstOutcome<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>

    private struct State: Sendable {
        var outcome: Outcome?
        var waiter: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())

    /// Brings an outcome.
    func settle(_ outcome: Outcome) {
        let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiter
        }
        waiter?.resume(with: outcome)
    }

    /// The outcome, as soon as there is one. Only one task may wait.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let outcome: Outcome? = state.withLock { state in
                state.waiter = continuation
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }
}
