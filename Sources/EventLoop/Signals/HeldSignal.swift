/// A signal that `HeldSignals` keeps.
public enum HeldSignal: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The wish to read the config again.
    case hangUp
    /// The wish to stop, of somebody at a keyboard.
    case interrupt
    /// The wish to stop, of whoever runs the process.
    case terminate

    /// As manuals name it: `SIGTERM`.
    public var description: String {
        switch self {
        case .hangUp: "SIGHUP"
        case .interrupt: "SIGINT"
        case .terminate: "SIGTERM"
        }
    }
}
