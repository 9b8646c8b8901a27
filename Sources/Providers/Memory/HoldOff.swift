internal import Locks

/// A back-off that doubles from a base to a cap with each failure.
///
/// Times are readings of one monotonic clock, so that a wall clock that jumps neither prolongs nor skips a pause.
struct HoldOff: Sendable, Hashable {
    private let base: Duration
    private let cap: Duration
    private var failures = 0
    private var end: Duration?

    init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = max(base, cap)
    }

    /// Returns the rest of the pause at `now`; nil when the upstream may be asked.
    func remaining(at now: Duration) -> Duration? {
        guard let end, now < end else { return nil }
        return end - now
    }

    /// Begins the next pause. A longer `Retry-After` of the upstream prolongs it, up to the cap.
    mutating func fail(at now: Duration, retryAfter: Duration?) {
        var pause = base
        for _ in 0..<min(failures, 32) where pause < cap { pause = pause * 2 }
        if let retryAfter { pause = max(pause, retryAfter) }
        end = now + min(pause, cap)
        failures += 1
    }

    /// Ends the row of failures.
    mutating func succeed() {
        failures = 0
        end = nil
    }
}

/// The time since a clock was first read, so that a clock of any type can be stored and compared.
struct Uptime: Sendable {
    private let read: @Sendable () -> Duration

    init<C: Clock>(of clock: C) where C.Duration == Duration {
        let start = clock.now
        read = { start.duration(to: clock.now) }
    }

    /// The time since this value was made.
    var now: Duration { read() }
}

/// A state under a lock, together with the clock of the times in it.
final class TimedState<State: Sendable>: Sendable {
    private let uptime: Uptime
    private let state: Mutex<State>

    /// Begins with this state at time zero.
    init(_ state: State, clock: some Clock<Duration>) {
        uptime = Uptime(of: clock)
        self.state = Mutex(state)
    }

    /// Runs `body` under the lock with the current time, which never goes back from one run to the next.
    func update<Value: Sendable>(_ body: (inout State, Duration) -> Value) -> Value {
        state.withLock { body(&$0, uptime.now) }
    }
}
