internal import Concurrency
internal import struct Synchronization.Atomic

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

/// A lazy value that remembers whether a request has wanted it; preparing it does not count.
final class WantedLazy<Value: Sendable>: Sendable {
    private let lazy: Lazy<Value>
    private let wanted = Atomic(false)

    init(make: @escaping @Sendable () -> Value) {
        lazy = Lazy(make: make)
    }

    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    /// The value for a request, ready if it has been made.
    var eventual: Eventual<Value> {
        if !isWanted { wanted.store(true, ordering: .relaxed) }
        return lazy.eventual
    }

    /// Makes the value off the event loops, unless it has been made.
    func prepare() async {
        _ = await lazy.made()
    }
}
