/// Why an event loop could not be made.
public enum EventLoopError: Error, Sendable, CustomStringConvertible {
    /// The system has no more descriptors, or no memory, for a libevent base.
    case noBase
    /// The thread could not be started; carries the `errno`.
    case noThread(errno: Int32)

    /// The sentence for operators.
    public var description: String {
        switch self {
        case .noBase: "no libevent base could be made: too many open files or no memory"
        case .noThread(let errno): "the loop's thread could not be started (errno \(errno))"
        }
    }
}
