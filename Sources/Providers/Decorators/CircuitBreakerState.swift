internal import Concurrency
internal import Products

/// What `circuit_breaker` knows, and its decisions, without tasks and clocks: every function is told the time.
///
/// Closed, it lets all through and counts. Open, it lets nobody through until its pause is over. Then it is half-open:
/// one caller at a time goes through as a probe, whose outcome closes it or opens it again. A probe that says nothing
/// about the upstream, since its caller went away for instance, leaves the place to the next caller.
struct CircuitBreakerState: Sendable {
    /// What a caller has to give back when its question has ended. It is good for the stage it was handed out in: what
    /// began before a change of stage says nothing about the time after.
    struct Ticket: Sendable, Hashable {
        fileprivate let period: Int
    }

    /// What a caller gets.
    enum Admission: Sendable {
        /// It may ask.
        case call(Ticket)
        /// It may ask, for `CircuitBreakerPolicy.probeTimeout`; with `isFirst`, the breaker is half-open from now on.
        case probe(Ticket, isFirst: Bool)
        /// It may not ask.
        case refused(retryAfter: Duration)
    }

    /// What the end of a question changed for whoever watches.
    enum Transition: Sendable {
        /// The upstream is left alone from now on.
        case opened(because: ProductsFailure, for: Duration)
        /// The upstream works again.
        case closed
    }

    private let policy: CircuitBreakerPolicy
    private(set) var stage = CircuitBreakerStage.closed
    /// Failures without anything else in between, up to now.
    private(set) var failuresInARow = 0
    private var calls = SlidingCount(seconds: CircuitBreakerPolicy.window)
    private var failures = SlidingCount(seconds: CircuitBreakerPolicy.window)
    private var pause: HoldOff
    /// When the probe that is under way has to have ended.
    private var probeEnd: Duration?
    /// How often the stage has changed.
    private var period = 0

    init(policy: CircuitBreakerPolicy) {
        self.policy = policy
        pause = HoldOff(base: policy.openFor, cap: policy.longestOpen)
    }

    /// Decides about a caller.
    mutating func admit(at now: Duration) -> Admission {
        switch stage {
        case .closed: return .call(Ticket(period: period))
        case .open:
            if let left = pause.remaining(at: now) { return .refused(retryAfter: left) }
            enter(.halfOpen)
            return probe(at: now, isFirst: true)
        case .halfOpen:
            if let probeEnd { return .refused(retryAfter: max(.zero, probeEnd - now)) }
            return probe(at: now, isFirst: false)
        }
    }

    /// Takes what became of a question; without a failure there was an answer.
    mutating func finish(_ ticket: Ticket, _ failure: ProductsFailure?, at now: Duration) -> Transition? {
        guard ticket.period == period else { return nil }
        let wasProbe = stage == .halfOpen
        probeEnd = nil
        switch UpstreamVerdict(failure) {
        case .unknown: return nil
        case .works:
            count(failed: false, at: now)
            return wasProbe ? close() : nil
        case .failing(let failure):
            count(failed: true, at: now)
            return wasProbe || isTooMuch(at: now) ? open(because: failure, at: now) : nil
        }
    }

    /// The calls in the window of the ratio.
    mutating func callCount(at now: Duration) -> Int { calls.total(at: now) }

    /// The failures in the window of the ratio.
    mutating func failureCount(at now: Duration) -> Int { failures.total(at: now) }

    /// How long nobody is let through; nil where somebody may be.
    func pauseLeft(at now: Duration) -> Duration? {
        stage == .open ? pause.remaining(at: now) : nil
    }

    private mutating func probe(at now: Duration, isFirst: Bool) -> Admission {
        probeEnd = now + policy.probeTimeout
        return .probe(Ticket(period: period), isFirst: isFirst)
    }

    private mutating func count(failed: Bool, at now: Duration) {
        calls.add(at: now)
        if failed { failures.add(at: now) }
        failuresInARow = failed ? failuresInARow + 1 : 0
    }

    private mutating func isTooMuch(at now: Duration) -> Bool {
        if failuresInARow >= policy.failures { return true }
        let calls = callCount(at: now)
        return calls >= CircuitBreakerPolicy.fewestCalls
            && Double(failureCount(at: now)) >= Double(calls) * policy.ratio
    }

    /// An upstream that named a time gets it where it is longer, up to where the doubling ends.
    private mutating func open(because failure: ProductsFailure, at now: Duration) -> Transition {
        enter(.open)
        pause.fail(at: now, retryAfter: failure.retryAfter)
        return .opened(because: failure, for: pause.remaining(at: now) ?? .zero)
    }

    /// What was counted before is forgotten: it would open the breaker again at the first failure.
    private mutating func close() -> Transition {
        enter(.closed)
        pause.succeed()
        calls = SlidingCount(seconds: CircuitBreakerPolicy.window)
        failures = SlidingCount(seconds: CircuitBreakerPolicy.window)
        return .closed
    }

    private mutating func enter(_ stage: CircuitBreakerStage) {
        self.stage = stage
        period += 1
    }
}

/// When a circuit breaker opens, and for how long.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// In seconds: what the ratio is taken of.
    static let window = 30
    /// The fewest calls in the window that the ratio says something about.
    static let fewestCalls = 10

    /// Opens after so many failures in a row.
    public var failures: Int
    /// Opens when this share, above 0 and up to 1, of the calls of the last 30 seconds failed, of ten at least.
    public var ratio: Double
    /// How long it stays open at first; doubles with every probe that fails.
    public var openFor: Duration
    /// Where the doubling ends.
    public var longestOpen: Duration
    /// How long the probe may take.
    public var probeTimeout: Duration

    /// Makes a policy; the defaults are the config file's.
    public init(
        failures: Int = 5, ratio: Double = 0.5, openFor: Duration = .seconds(10), longestOpen: Duration = .seconds(60),
        probeTimeout: Duration = .seconds(5)
    ) {
        self.failures = failures
        self.ratio = ratio
        self.openFor = openFor
        self.longestOpen = longestOpen
        self.probeTimeout = probeTimeout
    }
}

/// Where a circuit breaker stands; the raw value is what operators see.
public enum CircuitBreakerStage: String, Sendable, CaseIterable {
    /// All are let through.
    case closed
    /// Nobody is let through.
    case open
    /// One at a time is let through, to try.
    case halfOpen = "half-open"
}
