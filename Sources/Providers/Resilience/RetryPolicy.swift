internal import Products

/// What is tried again, how often, and after what pause.
public struct RetryPolicy: Sendable, Hashable {
    /// Tries in all, the first one included: 2 means one retry, 1 none.
    public var attempts: Int
    /// The longest pause before the first retry; it doubles before every further one.
    public var base: Duration
    /// The longest pause of all, and so the longest time an upstream may ask to be left alone and still be asked again.
    public var cap: Duration
    /// The share of calls, 0 to 1, that may be followed by a retry; on top of the floor of ``RetryBudget``.
    public var budget: Double

    /// Makes a policy; the defaults are the config file's.
    public init(
        attempts: Int = 2, base: Duration = .milliseconds(100), cap: Duration = .seconds(2), budget: Double = 0.2
    ) {
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.budget = budget
    }

    /// The pause after the try with this number, the first being 1; nil where there is to be no other.
    ///
    /// Full jitter: anything from nothing to the doubling limit, so that callers that failed together do not come back
    /// together. A `Retry-After` is waited for on top of that, as far as the cap allows; one that is longer than the
    /// cap is taken as a no.
    ///
    /// - Parameter jitter: where in the range the pause lies, 0 to 1.
    func pause(after failure: ProductsFailure, try number: Int, jitter: Double) -> Duration? {
        guard number < attempts, case .failing = UpstreamVerdict(failure) else { return nil }
        let named = failure.retryAfter ?? .zero
        guard named <= cap else { return nil }
        return min(cap, named + longestPause(after: number) * jitter)
    }

    private func longestPause(after number: Int) -> Duration {
        var pause = min(base, cap)
        for _ in 1..<number where pause < cap { pause = min(pause * 2, cap) }
        return pause
    }
}
