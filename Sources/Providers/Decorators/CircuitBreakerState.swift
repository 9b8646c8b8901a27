internal import Concurrency
internal import Products

/// The state and the decisions of `circuit_breaker`, without tasks and clocks: the time is a parameter.
///
/// While closed it admits and counts all calls. While open it refuses all calls until the pause is over. Then it is
/// half-open: one call at a time is admitted as a probe, whose outcome closes it or opens it again. After a probe
/// without a verdict, for instance because its caller was cancelled, the next call is the probe.
struct CircuitBreakerState: Sendable {
    /// Identifies an admitted call. It is valid only in the stage that issued it: the outcome of an earlier call is
    /// ignored.
    struct Ticket: Sendable, Hashable {
        fileprivate let period: Int
    }

    enum Admission: Sendable {
        case call(Ticket)
        /// The call is admitted for `CircuitBreakerPolicy.probeTimeout`; with `isFirst`, it made the breaker half-open.
        case probe(Ticket, isFirst: Bool)
        case refused(retryAfter: Duration)
    }

    /// A change of stage, for the log.
    enum Transition: Sendable {
        case opened(because: ProductsFailure, for: Duration)
        case closed
    }

    private let policy: CircuitBreakerPolicy
    private(set) var stage = CircuitBreakerStage.closed
    private(set) var failuresInARow = 0
    private var calls = SlidingCount(seconds: CircuitBreakerPolicy.window)
    private var failures = SlidingCount(seconds: CircuitBreakerPolicy.window)
    private var pause: HoldOff
    /// The deadline of the running probe.
    private var probeEnd: Duration?
    private var period = 0

    init(policy: CircuitBreakerPolicy) {
        self.policy = policy
        pause = HoldOff(base: policy.openFor, cap: policy.longestOpen)
    }

    /// - Parameter isForced: whether the call is admitted in any stage; unless closed, it is the probe.
    mutating func admit(at now: Duration, isForced: Bool = false) -> Admission {
        switch stage {
        case .closed: return .call(Ticket(period: period))
        case .open:
            if !isForced, let left = pause.remaining(at: now) { return .refused(retryAfter: left) }
            enter(.halfOpen)
            return probe(at: now, isFirst: true)
        case .halfOpen:
            if !isForced, let probeEnd { return .refused(retryAfter: max(.zero, probeEnd - now)) }
            return probe(at: now, isFirst: false)
        }
    }

    /// Records the end of a call: an answer if there is no failure.
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

    /// Returns the time until a call may be admitted; nil if one may be at once.
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

    /// Opens for the pause, or for the upstream's `Retry-After` if that is longer, up to `longestOpen`.
    private mutating func open(because failure: ProductsFailure, at now: Duration) -> Transition {
        enter(.open)
        pause.fail(at: now, retryAfter: failure.retryAfter)
        return .opened(because: failure, for: pause.remaining(at: now) ?? .zero)
    }

    /// Closes and resets the counts, which would open the breaker again at the first failure.
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

/// The failures that open a circuit breaker, and the time for which it stays open.
package struct CircuitBreakerPolicy: Sendable, Hashable {
    /// The window of the ratio, in seconds.
    static let window = 30
    /// The fewest calls in the window for which the ratio counts.
    static let fewestCalls = 10

    /// Opens after this many failures in a row.
    package var failures: Int
    /// Opens when this share, above 0 and up to 1, of the calls of the last 30 seconds failed, of ten at least.
    package var ratio: Double
    /// The first pause; it doubles with each failed probe.
    package var openFor: Duration
    var longestOpen = Duration.seconds(60)
    package var probeTimeout: Duration

    package init(
        failures: Int = 5, ratio: Double = 0.5, openFor: Duration = .seconds(10), probeTimeout: Duration = .seconds(5)
    ) {
        self.failures = failures
        self.ratio = ratio
        self.openFor = openFor
        self.probeTimeout = probeTimeout
    }
}
