/// How long a failing upstream is left alone: a pause after each failure, doubling from a base to a cap.
///
/// Times are readings of one monotonic clock, so a wall clock that jumps neither prolongs nor skips a pause.
struct HoldOff: Sendable, Hashable {
    private let base: Duration
    private let cap: Duration
    private var failures = 0
    private var end: Duration?

    init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = max(base, cap)
    }

    /// How much of the pause is left at `now`; `nil` when the upstream may be asked.
    func remaining(at now: Duration) -> Duration? {
        guard let end, now < end else { return nil }
        return end - now
    }

    /// Begins the next pause. An upstream that named a time of its own gets that time if it is longer, up to the cap.
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
