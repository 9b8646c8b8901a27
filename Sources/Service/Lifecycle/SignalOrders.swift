internal import Dispatch
internal import EventLoop
internal import FileSystem
internal import Glibc

/// Interprets signals in their order: the first signal to stop begins a graceful stop; the second, or the deadline,
/// ends the process at once.
///
/// It has no clock: times are durations since a fixed start.
struct SignalOrders: Sendable {
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

    /// The order for a signal, or for the time if there was none.
    ///
    /// - Parameter deadline: the time limit of the graceful stop.
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

    /// The time to wait for the next signal until the deadline; nil for no limit.
    func timeLeft(at now: Duration, deadline: Duration) -> Duration? {
        beginning.map { max(.zero, $0.time + deadline - now) }
    }
}

/// The reason why a service ends without finishing its work.
enum ForcedExit: Error, Sendable, Hashable, CustomStringConvertible {
    /// A second signal to stop came.
    case secondSignal(HeldSignal, after: HeldSignal)
    /// The graceful end took too long.
    case deadline(Duration)

    /// The exit status: for a signal as in shells, otherwise 1.
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

/// Prepares the process for any command.
package enum ProcessStart {
    /// Opens missing standard streams, configures the allocator, raises the limit of open files, which is often less
    /// than the connections to serve, holds signals, so that they do not end a service that is starting, and starts the
    /// thread of libdispatch's timers.
    package static func prepare() {
        StandardStreams.fill()
        ProcessMemory.prepare()
        HeldSignals.hold()
        Files.raiseMostOpen()
        startTimers()
    }

    /// libdispatch wants to raise the priority of that thread, and notes in syslog where it may not. Only this note is
    /// left out.
    private static func startTimers() {
        let mask = setlogmask(1 << (LOG_WARNING + 1) - 1)
        let isStarted = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { isStarted.signal() }
        isStarted.wait()
        setlogmask(mask)
    }
}

/// Ends the process after any command.
package enum ProcessEnd {
    /// Ends the process without the exit handlers of libraries: they would release memory that threads still use.
    package static func now(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}
