internal import Concurrency
internal import Products

/// The number of tries of a call, and the pauses between them.
package struct RetryPolicy: Sendable, Hashable {
    /// Tries in all, the first one included: 2 means one retry, 1 none.
    package var attempts: Int
    /// The longest pause before the first retry; it doubles before every further one.
    package var base: Duration
    /// The longest pause. A longer `Retry-After` ends the tries.
    package var cap: Duration
    /// The share of calls, 0 to 1, that may be followed by a retry; on top of the floor of ``RetryBudget``.
    package var budget: Double

    package init(
        attempts: Int = 2, base: Duration = .milliseconds(100), cap: Duration = .seconds(2), budget: Double = 0.2
    ) {
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.budget = budget
    }

    /// Returns the pause after a try, counted from 1; nil if it was the last one.
    ///
    /// With full jitter the pause is between zero and the doubling limit, so that callers that failed together do not
    /// retry together. A `Retry-After` is added to it, up to the cap; one beyond the cap ends the tries.
    ///
    /// - Parameter jitter: the position of the pause in its range, 0 to 1.
    func pause(after failure: ProductsFailure, try number: Int, jitter: Double) -> Duration? {
        guard number < attempts, case .failing = UpstreamVerdict(failure) else { return nil }
        let named = failure.retryAfter ?? .zero
        guard named <= cap else { return nil }
        let longest = Backoff(base: min(base, cap), cap: cap)
        return min(cap, named + longest.pause(after: number) * jitter)
    }
}

/// Limits retries, so that they do not multiply the load on an overloaded upstream.
///
/// The budget of the last ten seconds is a share of the calls in that time plus three retries for each second: without
/// that floor a service with few callers could never try again.
struct RetryBudget: Sendable, Hashable {
    /// In seconds.
    static let window = 10
    /// Retries per second that need no calls.
    static let floor = 3

    private let share: Double
    private var calls = SlidingCount(seconds: window)
    private var retries = SlidingCount(seconds: window)

    /// Makes a budget of this share of the calls, 0 to 1.
    init(share: Double) {
        self.share = share
    }

    /// Counts a call that is not itself a retry.
    mutating func recordCall(at now: Duration) {
        calls.add(at: now)
    }

    /// Charges a retry to the budget; false when it is used up.
    mutating func consumeRetry(at now: Duration) -> Bool {
        guard left(at: now) > 0 else { return false }
        retries.add(at: now)
        return true
    }

    mutating func left(at now: Duration) -> Int {
        let earned = Int((Double(callCount(at: now)) * share).rounded(.down))
        return max(0, earned + Self.floor * Self.window - retryCount(at: now))
    }

    mutating func callCount(at now: Duration) -> Int { calls.total(at: now) }

    mutating func retryCount(at now: Duration) -> Int { retries.total(at: now) }
}

/// Counts the events of the last seconds in constant space.
///
/// Events are counted by the second they fall into, and a second leaves the window as a whole. So an event counts for
/// at most the length of the window, and for at least a second less.
struct SlidingCount: Sendable, Hashable {
    /// Counts by second, modulo the length of the window.
    private var counts: [Int]
    private var sum = 0
    private var newest: Int64 = 0

    /// Creates a count over a window of this many seconds.
    init(seconds: Int) {
        precondition(seconds > 0, "the window must be positive")
        counts = Array(repeating: 0, count: seconds)
    }

    /// Counts an event. Times are readings of one monotonic clock.
    mutating func add(at now: Duration) {
        advance(to: now)
        counts[Int(newest) % counts.count] += 1
        sum += 1
    }

    /// Returns the number of events in the window that ends at `now`.
    mutating func total(at now: Duration) -> Int {
        advance(to: now)
        return sum
    }

    private mutating func advance(to now: Duration) {
        let second = now.components.seconds
        guard second > newest else { return }
        for step in 1...min(Int(second - newest), counts.count) {
            let old = (Int(newest) + step) % counts.count
            sum -= counts[old]
            counts[old] = 0
        }
        newest = second
    }
}

/// The state of the upstream as shown by the outcome of a call. `retry` and `circuit_breaker` decide by it.
enum UpstreamVerdict: Sendable, Hashable {
    /// The upstream responded, even if not usefully: a retry would get the same, and a pause would not help.
    case works
    /// The upstream did not answer, or said that it cannot at the moment: no connection, a timeout, a 5xx or a 429.
    case failing(ProductsFailure)
    /// Unknown: the upstream was not asked, or the caller cancelled.
    case unknown

    /// Judges a call by its failure; nil for an answer.
    init(_ failure: ProductsFailure?) {
        guard let failure else {
            self = .works
            return
        }
        self =
            switch failure {
            case .unreachable(.offline, _, _): .unknown
            case .unreachable, .timedOut: .failing(failure)
            case .upstreamStatus(let status, _, _): status >= 500 || status == 429 ? .failing(failure) : .works
            case .malformed, .tooManyRedirects, .tooLarge, .refused: .works
            case .notStored, .storeFailed, .unavailable, .paused, .circuitOpen, .overloaded, .cancelled: .unknown
            }
    }
}
