internal import Locks
internal import Logging

/// The least severe messages that a log takes, which may change while it is in use.
final class AdjustableLogLevel: Sendable {
    private let state: Mutex<Logger.Level>

    init(_ level: Logger.Level) {
        state = Mutex(level)
    }

    /// The level of all loggers that were made with this value and not given one of their own.
    var level: Logger.Level {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
