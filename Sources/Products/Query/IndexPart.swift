internal import Concurrency
import struct Synchronization.Atomic

/// A part of an index that can be made before a query wants it.
protocol PreparablePart: Sendable {
    /// Whether a query has wanted it; preparing does not count.
    var isWanted: Bool { get }

    /// Whether it has been made.
    var isMade: Bool { get }

    /// Roughly how many bytes it takes; 0 before it is made.
    var byteCount: Int { get }

    /// Makes it, unless it is made already.
    func prepare()
}

/// A lazy part of an index, which remembers whether it was wanted.
final class IndexPart<Value: Sendable>: PreparablePart {
    private let size: @Sendable (Value) -> Int
    private let lazy: Lazy<Value>
    private let wanted = Atomic(false)

    /// - Parameters:
    ///   - size: how many bytes a value takes, roughly.
    ///   - make: makes the value.
    init(size: @escaping @Sendable (Value) -> Int, make: @escaping @Sendable () -> Value) {
        self.size = size
        lazy = Lazy(make: make)
    }

    /// The value, which counts as wanted from now on.
    var value: Value {
        wanted.store(true, ordering: .relaxed)
        return lazy.value
    }

    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    var isMade: Bool { lazy.kept != nil }

    var byteCount: Int { lazy.kept.map(size) ?? 0 }

    func prepare() {
        _ = lazy.value
    }
}
