internal import CEventShim

/// A signal that `HeldSignals` queues, by its POSIX number.
package enum HeldSignal: Int32, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Requests a reload of the config.
    case hangUp = 1
    /// Requests a stop, from a keyboard.
    case interrupt = 2
    /// Requests a stop, from a service manager.
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
/// The handlers belong to the whole process. A signal that comes twice before `next` may count once.
package enum HeldSignals {
    /// Queues the signals from now on. Call it early: before, they end the process or, for process 1 of a container,
    /// are lost. Does nothing if they are queued already, or if the system refuses a pipe.
    package static func hold() {
        _ = larder_signals_hold()
    }

    /// Restores the usual effects of the signals, and raises those that came in the meantime.
    package static func release() {
        larder_signals_release()
    }

    /// The next signal. Blocks the calling thread; one thread at a time may wait.
    ///
    /// - Parameter limit: the longest wait; nil for no limit.
    /// - Returns: nil when none came.
    package static func next(within limit: Duration? = nil) -> HeldSignal? {
        HeldSignal(rawValue: larder_signals_next(limit.map { max(0, Int64($0 / .milliseconds(1))) } ?? -1))
    }
}
