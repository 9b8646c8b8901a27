internal import CEventShim

/// SIGHUP, SIGINT and SIGTERM of the process, kept until somebody asks for them instead of ending it.
///
/// There is one set of handlers in a process, so this is no value: it is for the program's entry and for the one who
/// waits. A signal that comes twice before it is looked at may count once, as is the way of signals.
public enum HeldSignals {
    /// Keeps the signals from now on. The sooner the better: before it they end the process, or, where that is process
    /// 1 of a container, are lost. Does nothing when they are kept already, or when the system refuses a pipe.
    public static func hold() {
        _ = larder_signals_hold()
    }

    /// Leaves the signals to their usual effects, those included that came in the meantime.
    public static func release() {
        larder_signals_release()
    }

    /// The next signal. Blocks the calling thread, of which there may be one at a time.
    ///
    /// - Parameter patience: how long it waits at most; nil for as long as it takes.
    /// - Returns: nil when none came.
    public static func next(within patience: Duration? = nil) -> HeldSignal? {
        HeldSignal(number: larder_signals_next(patience.map { max(0, Int64($0 / .milliseconds(1))) } ?? -1))
    }
}
