/// Keeps retries from multiplying the load on an upstream that fails under it.
///
/// Over the last ten seconds there may be so many retries as are a share of the calls in that time, and three for each
/// of the seconds besides: without the floor a service with few callers could never try again.
struct RetryBudget: Sendable, Hashable {
    /// In seconds.
    static let window = 10
    /// Retries per second that need no calls.
    static let floor = 3

    private let share: Double
    private var calls = SlidingCount(seconds: window)
    private var retries = SlidingCount(seconds: window)

    /// A budget of this share of the calls, 0 to 1.
    init(share: Double) {
        self.share = share
    }

    /// Notes a call, which is not itself a retry.
    mutating func recordCall(at now: Duration) {
        calls.add(at: now)
    }

    /// Takes a retry out of the budget; false when it is used up.
    mutating func takeRetry(at now: Duration) -> Bool {
        guard left(at: now) > 0 else { return false }
        retries.add(at: now)
        return true
    }

    /// How many retries may follow at once.
    mutating func left(at now: Duration) -> Int {
        let earned = Int((Double(callCount(at: now)) * share).rounded(.down))
        return max(0, earned + Self.floor * Self.window - retryCount(at: now))
    }

    /// The calls in the window.
    mutating func callCount(at now: Duration) -> Int { calls.total(at: now) }

    /// The retries in the window.
    mutating func retryCount(at now: Duration) -> Int { retries.total(at: now) }
}
