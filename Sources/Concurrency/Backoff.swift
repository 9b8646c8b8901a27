/// Pauses that double from a base to a cap with every failure in a row.
package struct Backoff: Sendable, Hashable {
    private let base: Duration
    private let cap: Duration

    /// Creates pauses from `base` to `cap`, or to `base` if that is longer.
    package init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = max(base, cap)
    }

    /// The longest pause after this many failures in a row.
    package func pause(after failures: Int) -> Duration {
        // More doublings exceed any cap, and would overflow a long base.
        var pause = base
        for _ in 1..<max(1, min(failures, 33)) where pause < cap { pause *= 2 }
        return min(pause, cap)
    }
}

/// Limits the attempts on a failing upstream: a pause follows each failure, and doubles with each in a row.
///
/// Times are readings of one monotonic clock, so a wall clock that jumps neither prolongs nor skips a pause.
package struct HoldOff: Sendable, Hashable {
    private let backoff: Backoff
    private let cap: Duration
    private var failures = 0
    private var end: Duration?

    /// Starts without failures; pauses double from `base` to `cap`.
    package init(base: Duration, cap: Duration) {
        backoff = Backoff(base: base, cap: cap)
        self.cap = max(base, cap)
    }

    /// The rest of the pause at `now`; `nil` if there is none.
    package func remaining(at now: Duration) -> Duration? {
        guard let end, now < end else { return nil }
        return end - now
    }

    /// Begins the next pause. An upstream's longer `Retry-After` counts, up to the cap.
    package mutating func fail(at now: Duration, retryAfter: Duration?) {
        failures += 1
        end = now + min(cap, max(backoff.pause(after: failures), retryAfter ?? .zero))
    }

    /// Ends the row of failures.
    package mutating func succeed() {
        failures = 0
        end = nil
    }
}

/// The randomness of pauses, as a value that tests can replace.
public struct JitterSource: Sendable {
    /// The next random share of the longest possible pause, from 0 to 1.
    public var next: @Sendable () -> Double

    /// Creates a source that reads the closure.
    public init(next: @escaping @Sendable () -> Double) {
        self.next = next
    }

    /// The machine's randomness, evenly distributed.
    public static let system = JitterSource { Double.random(in: 0...1) }
}
