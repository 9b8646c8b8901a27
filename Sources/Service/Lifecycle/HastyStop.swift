internal import EventLoop

/// Why a service ends without finishing what is under way.
enum HastyStop: Error, Sendable, Hashable, CustomStringConvertible {
    /// It was told to stop once more.
    case secondSignal(HeldSignal, after: HeldSignal)
    /// The graceful end has taken as long as it may.
    case deadline(Duration)

    /// The status that the process exits with: for a signal the one that shells show for it, otherwise 1.
    var status: Int32 {
        switch self {
        case .secondSignal(let signal, _): 128 + signal.number
        case .deadline: 1
        }
    }

    /// One line for an operator.
    var description: String {
        switch self {
        case .secondSignal(let second, let first) where second == first: "a second \(second) came while draining"
        case .secondSignal(let second, let first): "\(second) came after \(first) while draining"
        case .deadline(let deadline): "the drain deadline of \(deadline) has passed"
        }
    }
}
