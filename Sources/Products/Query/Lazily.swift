import Locks

/// A value that is made when it is first wanted, and kept.
///
/// Those who want it at the same first moment each make it, rather than wait for each other with a thread each; all get
/// the same one.
final class Lazily<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let kept = Mutex<Value?>(nil)

    init(make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value.
    var value: Value {
        if let value = kept.withLock({ $0 }) { return value }
        let made = make()
        return kept.withLock { kept in
            let value = kept ?? made
            kept = value
            return value
        }
    }
}
