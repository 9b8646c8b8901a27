public import FoundationEssentials
internal import Glibc

/// The time of day, as a value that tests can replace.
///
/// Age must survive a restart, so it is measured by this clock and not by a monotonic one.
public struct WallClock: Sendable {
    /// The current time.
    public var now: @Sendable () -> Date
    private let even: @Sendable () -> Double

    /// Creates a clock that reads the closure, and is never set back.
    public init(now: @escaping @Sendable () -> Date) {
        self.init(now: now, even: { now().timeIntervalSince1970 })
    }

    /// - Parameter even: a monotonic clock of the same rate, in seconds.
    package init(now: @escaping @Sendable () -> Date, even: @escaping @Sendable () -> Double) {
        (self.now, self.even) = (now, even)
    }

    /// The machine's clock.
    public static let system = WallClock(
        now: { Date() }, even: { Double(MonotonicTime.nanoseconds) / 1_000_000_000 })

    /// The wall-clock time at which the monotonic clock was zero. Setting the wall clock back moves it back by the same
    /// amount.
    ///
    /// - Parameter now: this clock's time, read just before.
    package func origin(at now: Date) -> Date { now - even() }
}

/// The time since the first reading of a clock of any type, so that it can be stored and compared.
package struct Uptime: Sendable {
    @usableFromInline let read: @Sendable () -> Duration
    private let readSeconds: @Sendable () -> Double

    /// Starts at the present reading of the clock. The continuous one is read without the conversions that its instants
    /// take, since each request reads it.
    package init<C: Clock>(of clock: C) where C.Duration == Duration {
        if clock is ContinuousClock {
            let start = MonotonicTime.continuousNanoseconds
            read = { .nanoseconds(MonotonicTime.continuousNanoseconds &- start) }
            readSeconds = { Double(MonotonicTime.continuousNanoseconds &- start) / 1_000_000_000 }
        } else {
            let start = clock.now
            read = { start.duration(to: clock.now) }
            readSeconds = { start.duration(to: clock.now) / .seconds(1) }
        }
    }

    /// The time since this value was made.
    @inlinable package var now: Duration { read() }

    /// The seconds since this value was made, without the conversions of a duration.
    package var seconds: Double { readSeconds() }
}

/// The monotonic clock, without the cost of `ContinuousClock`: a request reads it several times.
package enum MonotonicTime {
    /// Nanoseconds since a moment that is fixed while the machine runs.
    @inlinable package static var nanoseconds: Int64 { read(CLOCK_MONOTONIC) }

    /// Nanoseconds of `ContinuousClock`, which goes on while the machine sleeps.
    static var continuousNanoseconds: Int64 { read(CLOCK_BOOTTIME) }

    @usableFromInline static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension Date {
    /// This date plus a duration.
    package func advanced(by duration: Duration) -> Date {
        let (seconds, attoseconds) = duration.components
        return addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }
}

/// A state under a lock, together with the clock of the times in it.
package final class TimedState<State: Sendable>: Sendable {
    private let uptime: Uptime
    private let state: Mutex<State>

    /// Begins with this state at time zero.
    package init(_ state: State, clock: some Clock<Duration>) {
        uptime = Uptime(of: clock)
        self.state = Mutex(state)
    }

    /// Runs `body` under the lock with the current time, which never goes back from one run to the next.
    package func update<Value: Sendable>(_ body: (inout State, Duration) -> Value) -> Value {
        state.withLock { body(&$0, uptime.now) }
    }
}

/// Passes one report a minute, with the number of those since the last one, so that a flood of refusals does not flood
/// the log.
package final class PacedReports: Sendable {
    private struct State {
        var count = 0
        var reportedAt: Duration?
    }

    private static let pause = Duration.seconds(60)
    private let state: TimedState<State>

    package init(clock: some Clock<Duration>) {
        state = TimedState(State(), clock: clock)
    }

    /// Counts an occurrence.
    /// - Returns: the number since the last report; nil if that is less than a minute ago.
    package func count() -> Int? {
        state.update { state, now in
            state.count += 1
            if let last = state.reportedAt, now - last < Self.pause { return nil }
            defer { state = State(reportedAt: now) }
            return state.count
        }
    }
}
