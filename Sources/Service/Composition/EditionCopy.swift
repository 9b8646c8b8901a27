internal import Locks

/// Where one event loop finds the edition in force. Nobody else asks here, so its lock is free but for the moment of a
/// reload.
final class EditionCopy: Sendable {
    private let current: Mutex<Edition>

    init(_ edition: Edition) {
        current = Mutex(edition)
    }

    /// The edition in force.
    var edition: Edition {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
