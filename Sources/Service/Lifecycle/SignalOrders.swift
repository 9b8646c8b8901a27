internal import EventLoop
internal import FileSystem

/// What signals mean to a service, one after the other: the first that tells it to stop begins a graceful end, the
/// second ends it at once, and so does the deadline of the graceful one.
///
/// Without a clock: every function is told the time, as the time since some moment.
struct SignalOrders: Sendable {
    /// What is to be done.
    enum Order: Sendable, Equatable {
        case nothing
        case reload
        case stop
        case stopAtOnce(ForcedExit)
    }

    private struct Beginning {
        let signal: HeldSignal
        let time: Duration
    }

    private var beginning: Beginning?

    /// What a signal means that came now, or that none came.
    ///
    /// - Parameter deadline: how long the graceful end may take.
    mutating func order(for signal: HeldSignal?, at now: Duration, deadline: Duration) -> Order {
        switch (signal, beginning) {
        case (.hangUp, _): return .reload
        case (let signal?, nil):
            beginning = Beginning(signal: signal, time: now)
            return .stop
        case (let signal?, let beginning?): return .stopAtOnce(.secondSignal(signal, after: beginning.signal))
        case (nil, let beginning?):
            return now - beginning.time >= deadline ? .stopAtOnce(.deadline(deadline)) : .nothing
        case (nil, nil): return .nothing
        }
    }

    /// How long to wait for the next signal before it is time to see what its absence means; nil for ever.
    func patience(at now: Duration, deadline: Duration) -> Duration? {
        beginning.map { max(.zero, $0.time + deadline - now) }
    }
}

/// Why a service ends without finishing what is under way.
enum ForcedExit: Error, Sendable, Hashable, CustomStringConvertible {
    /// It was told to stop once more.
    case secondSignal(HeldSignal, after: HeldSignal)
    /// The graceful end has taken as long as it may.
    case deadline(Duration)

    /// The status that the process exits with: for a signal the one that shells show for it, otherwise 1.
    var status: Int32 {
        switch self {
        case .secondSignal(let signal, _): 128 + signal.rawValue
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

/// What has to be done before anything else in a process, whatever it is to do.
public enum ProcessStart {
    /// Makes sure that there are standard streams, configures the allocator, and holds signals: one may come before
    /// anything is known of the command, and must not end a service that has just begun. Many systems allow 1024 open
    /// files until a process asks for more, which is less than the connections that are served.
    public static func prepare() {
        StandardStreams.fill()
        ProcessMemory.prepare()
        SignalWatch.hold()
        Files.raiseMostOpen()
    }
}
