import Locks

/// A value that is made when it is first wanted, and kept.
///
/// Those who want it at the same first moment each make it, rather than wait for each other with a thread each; all get
/// the same one.
final class Lazily<Value: Sendable>: PreparablePart {
    private struct State {
        var value: Value?
        var isWanted = false
    }

    private let make: @Sendable () -> Value
    private let size: @Sendable (Value) -> Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - size: how many bytes a value takes, roughly.
    ///   - make: makes the value.
    init(size: @escaping @Sendable (Value) -> Int, make: @escaping @Sendable () -> Value) {
        self.size = size
        self.make = make
    }

    /// The value, which counts as wanted from now on.
    var value: Value {
        let kept = state.withLock { state in
            state.isWanted = true
            return state.value
        }
        return kept ?? keep(make())
    }

    var isWanted: Bool { state.withLock(\.isWanted) }

    var isMade: Bool { state.withLock { $0.value != nil } }

    var byteCount: Int { state.withLock(\.value).map(size) ?? 0 }

    func prepare() {
        if !isMade { _ = keep(make()) }
    }

    /// The value that was made first.
    private func keep(_ made: Value) -> Value {
        state.withLock { state in
            let value = state.value ?? made
            state.value = value
            return value
        }
    }
}
