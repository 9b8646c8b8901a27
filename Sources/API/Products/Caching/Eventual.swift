internal import Concurrency

/// A value that is ready, or has to be waited for.
///
/// Most values of a cache are ready, and a task would cost more than the look-up, so there is one only where something is
/// made.
enum Eventual<Value: Sendable>: Sendable {
    case ready(Value)
    /// Work left to be done, once.
    case pending(@Sendable () async throws -> Value)

    var value: Value {
        get async throws {
            switch self {
            case .ready(let value): value
            case .pending(let make): try await make()
            }
        }
    }
}

extension Lazy {
    /// The value, ready if it has been made.
    var eventual: Eventual<Value> {
        if let kept { .ready(kept) } else { .pending { [self] in await made() } }
    }
}

extension WantedLazy {
    /// The value for a request, ready if it has been made.
    var eventual: Eventual<Value> {
        want()
        return lazy.eventual
    }
}
