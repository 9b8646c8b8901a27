internal import EventLoop

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
        case stopAtOnce(HastyStop)
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
