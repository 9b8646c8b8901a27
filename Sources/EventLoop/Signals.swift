internal import CEventShim

/// A signal that `HeldSignals` keeps, by its POSIX number.
package enum HeldSignal: Int32, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Asks for the config to be read again.
    case hangUp = 1
    /// Asks to stop, from a keyboard.
    case interrupt = 2
    /// Asks to stop, from a service manager.
    case terminate = 15

    package var description: String {
        switch self {
        case .hangUp: "SIGHUP"
        case .interrupt: "SIGINT"
        case .terminate: "SIGTERM"
        }
    }
}

/// SIGHUP, SIGINT and SIGTERM of the process, queued instead of ending it.
///
/// There is one set of handlers in a process, so this is no value. A signal that comes twice before `next` may count
/// once.
package enum HeldSignals {
    /// Keeps the signals from now on. The sooner the better: before it they end the process, or, where that is process
    /// 1 of a container, are lost. Does nothing when they are kept already, or when the system refuses a pipe.
    package static func hold() {
        _ = larder_signals_hold()
    }

    /// Leaves the signals to their usual effects, those included that came in the meantime.
    package static func release() {
        larder_signals_release()
    }

    /// The next signal. Blocks the calling thread, of which there may be one at a time.
    ///
    /// - Parameter patience: how long it waits at most; nil for as long as it takes.
    /// - Returns: nil when none came.
    package static func next(within patience: Duration? = nil) -> HeldSignal? {
        HeldSignal(rawValue: larder_signals_next(patience.map { max(0, Int64($0 / .milliseconds(1))) } ?? -1))
    }
}
