internal import Concurrency
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
        let longest = Backoff(base: min(base, cap), cap: cap)
        return min(cap, named + longest.pause(after: number) * jitter)
    }
}

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

/// How many events there were in the last seconds, in constant space.
///
/// Events are counted by the second they fall into, and a second leaves as a whole when its turn comes again. So an
/// event is remembered for as long as the window at most, and for a second less at least.
struct SlidingCount: Sendable, Hashable {
    /// By second, modulo their number.
    private var counts: [Int]
    private var sum = 0
    private var newest: Int64 = 0

    /// Counts over a window of so many seconds.
    init(seconds: Int) {
        precondition(seconds > 0, "a window without time")
        counts = Array(repeating: 0, count: seconds)
    }

    /// Counts an event. Times are readings of one monotonic clock.
    mutating func add(at now: Duration) {
        advance(to: now)
        counts[Int(newest) % counts.count] += 1
        sum += 1
    }

    /// The number of events in the window that ends at `now`.
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

/// What the outcome of a question says about the upstream itself: what `retry` and `circuit_breaker` decide by.
enum UpstreamVerdict: Sendable, Hashable {
    /// It was there and answered, if only with something that is no use: asking again would bring the same, and
    /// leaving it alone would help nobody.
    case works
    /// It did not answer, or said that it cannot at the moment: no connection, none in time, a 5xx or a 429.
    case failing(ProductsFailure)
    /// Nothing, because it was not asked, or nobody waited for what it says.
    case unknown

    /// The verdict on a question that ended like this; without a failure there was an answer.
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
            case .notStored, .storeFailed, .unavailable, .circuitOpen, .overloaded, .cancelled: .unknown
            }
    }
}
