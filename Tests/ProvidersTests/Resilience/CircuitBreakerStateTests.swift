internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Providers

/// Every edge of the breaker, without tasks.
struct CircuitBreakerStateTests {
    private static let failure = ProductsFailure.upstreamStatus(503, retryAfter: nil)

    @Test(arguments: [(4, "closed"), (5, "open")])
    func `it opens at the fifth failure in a row, and not at the fourth`(failures: Int, stage: String) {
        var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy())
        fail(&breaker, times: failures)
        #expect(breaker.stage.rawValue == stage)
        #expect(breaker.failuresInARow == failures)
    }

    @Test func `an answer begins the row anew, and so does one that is no use`() {
        for failure in [nil, ProductsFailure.malformed(detail: ""), .upstreamStatus(404, retryAfter: nil)] {
            var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy())
            fail(&breaker, times: 4)
            ask(&breaker, failure)
            fail(&breaker, times: 4)
            #expect(breaker.stage == .closed)
            #expect(breaker.failuresInARow == 4)
        }
    }

    @Test func `what says nothing about the upstream neither makes a row nor breaks it`() {
        var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy())
        fail(&breaker, times: 4)
        for failure in [ProductsFailure.cancelled, .overloaded(limit: 1), .notStored] { ask(&breaker, failure) }
        #expect(breaker.stage == .closed)
        #expect(breaker.callCount(at: .zero) == 4)
        fail(&breaker)
        #expect(breaker.stage == .open)
    }

    @Test(arguments: [
        ("+-+-+-+--", "closed"), ("+-+-+-+-+-", "open"), ("++-+-+-+--", "open"), ("+-+-+-+-++-", "closed"),
        ("+++-+-+-+-", "closed"), ("+++-+-+-+--", "closed"), ("+++-+-+-+---", "open"), ("-+-+-+-+-+", "closed"),
        ("-+-+-+-+-+-", "open"),
    ])
    func `it opens when half of ten calls failed; nine calls say nothing yet, and less than half is not enough`(
        outcomes: String, stage: String
    ) {
        var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy())
        for outcome in outcomes { ask(&breaker, outcome == "-" ? Self.failure : nil) }
        #expect(breaker.stage.rawValue == stage)
    }

    @Test(arguments: [(29_999, "open"), (30_000, "closed")])
    func `calls count for thirty seconds`(milliseconds: Int, stage: String) {
        var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy(failures: 100))
        for outcome in "-+-+-+-+-" { ask(&breaker, outcome == "-" ? Self.failure : nil) }
        fail(&breaker, at: .milliseconds(milliseconds))
        #expect(breaker.stage.rawValue == stage)
    }

    @Test(arguments: [(0, "refused 10.0 seconds"), (9_999, "refused 0.001 seconds"), (10_000, "first probe")])
    func `it stays open for open_for, to the millisecond`(milliseconds: Int, admission: String) {
        var breaker = opened()
        #expect(told(breaker.admit(at: .milliseconds(milliseconds))) == admission)
    }

    @Test
    func `the pause doubles with every probe that fails, up to a minute, and begins anew after one that does not`()
        throws
    {
        var breaker = opened()
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<6 {
            now += try #require(breaker.pauseLeft(at: now))
            #expect(breaker.pauseLeft(at: now) == nil)
            fail(&breaker, at: now)
            pauses.append(breaker.pauseLeft(at: now) ?? .zero)
        }
        #expect(pauses == [20, 40, 60, 60, 60, 60].map { .seconds($0) })
        now += .seconds(60)
        ask(&breaker, nil, at: now)
        #expect(breaker.stage == .closed)
        #expect(breaker.failuresInARow == 0)
        fail(&breaker, times: 5, at: now)
        #expect(breaker.pauseLeft(at: now) == .seconds(10))
    }

    @Test(arguments: [(1, 10), (10, 10), (25, 25), (60, 60), (3600, 60)])
    func `an upstream that names a time gets it where it is longer, up to a minute`(named: Int, pause: Int) {
        var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy())
        fail(&breaker, times: 4)
        ask(&breaker, .upstreamStatus(429, retryAfter: .seconds(named)))
        #expect(breaker.pauseLeft(at: .zero) == .seconds(pause))
    }

    @Test func `half-open, one asks and all others are refused until it has ended`() {
        var breaker = opened()
        let probe = breaker.admit(at: .seconds(10))
        #expect(told(probe) == "first probe")
        #expect(told(breaker.admit(at: .seconds(10))) == "refused 5.0 seconds")
        #expect(told(breaker.admit(at: .seconds(12))) == "refused 3.0 seconds")
        #expect(told(breaker.admit(at: .seconds(16))) == "refused 0.0 seconds")
        #expect(breaker.stage == .halfOpen)
        finish(&breaker, probe, nil, at: .seconds(16))
        #expect(told(breaker.admit(at: .seconds(16))) == "call")
    }

    @Test func `a probe that says nothing leaves its place to the next, and the pause as it was`() {
        var breaker = opened()
        let first = breaker.admit(at: .seconds(10))
        finish(&breaker, first, .cancelled, at: .seconds(11))
        #expect(breaker.stage == .halfOpen)
        let second = breaker.admit(at: .seconds(11))
        #expect(told(second) == "probe")
        #expect(told(breaker.admit(at: .seconds(11))) == "refused 5.0 seconds")
        finish(&breaker, second, Self.failure, at: .seconds(12))
        #expect(breaker.pauseLeft(at: .seconds(12)) == .seconds(20))
    }

    @Test func `a probe that finds an upstream with a bad answer closes the breaker: the upstream is there`() {
        var breaker = opened()
        ask(&breaker, .malformed(detail: ""), at: .seconds(10))
        #expect(breaker.stage == .closed)
    }

    @Test func `what began before a change of stage says nothing after it`() {
        var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy())
        let stragglers = (0..<20).map { _ in breaker.admit(at: .zero) }
        for straggler in stragglers.prefix(8) { finish(&breaker, straggler, Self.failure, at: .zero) }
        #expect(breaker.pauseLeft(at: .zero) == .seconds(10))
        #expect(breaker.failuresInARow == 5)
        finish(&breaker, stragglers[8], nil, at: .seconds(1))
        #expect(breaker.stage == .open)
        let probe = breaker.admit(at: .seconds(10))
        finish(&breaker, stragglers[9], nil, at: .seconds(11))
        finish(&breaker, stragglers[10], Self.failure, at: .seconds(11))
        #expect(breaker.stage == .halfOpen)
        #expect(told(breaker.admit(at: .seconds(11))) == "refused 4.0 seconds")
        finish(&breaker, probe, nil, at: .seconds(11))
        for straggler in stragglers.dropFirst(11) { finish(&breaker, straggler, Self.failure, at: .seconds(11)) }
        #expect(breaker.stage == .closed)
        #expect(breaker.failuresInARow == 0)
    }

    @Test func `after it has closed it has forgotten what made it open`() {
        var breaker = opened()
        ask(&breaker, nil, at: .seconds(10))
        #expect(breaker.callCount(at: .seconds(10)) == 0)
        fail(&breaker, times: 4, at: .seconds(10))
        #expect(breaker.stage == .closed)
    }

    private func opened() -> CircuitBreakerState {
        var breaker = CircuitBreakerState(policy: CircuitBreakerPolicy())
        fail(&breaker, times: 5)
        return breaker
    }

    private func fail(_ breaker: inout CircuitBreakerState, times: Int = 1, at now: Duration = .zero) {
        for _ in 0..<times { ask(&breaker, Self.failure, at: now) }
    }

    private func ask(_ breaker: inout CircuitBreakerState, _ failure: ProductsFailure?, at now: Duration = .zero) {
        finish(&breaker, breaker.admit(at: now), failure, at: now)
    }

    private func finish(
        _ breaker: inout CircuitBreakerState, _ admission: CircuitBreakerState.Admission, _ failure: ProductsFailure?,
        at now: Duration
    ) {
        switch admission {
        case .call(let ticket), .probe(let ticket, _): _ = breaker.finish(ticket, failure, at: now)
        case .refused: Issue.record("it did not let anybody through at \(now)")
        }
    }

    private func told(_ admission: CircuitBreakerState.Admission) -> String {
        switch admission {
        case .call: "call"
        case .probe(_, isFirst: true): "first probe"
        case .probe(_, isFirst: false): "probe"
        case .refused(let retryAfter): "refused \(retryAfter)"
        }
    }
}
