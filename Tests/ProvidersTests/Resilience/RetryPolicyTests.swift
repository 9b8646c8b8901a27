internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Providers

struct RetryPolicyTests {
    private static let failure = ProductsFailure.upstreamStatus(503, retryAfter: nil)

    @Test(arguments: [0, 0.25, 1])
    func `the pause lies anywhere from nothing to a limit that doubles up to the cap`(jitter: Double) {
        let policy = RetryPolicy(attempts: 10, base: .milliseconds(100), cap: .seconds(2))
        let pauses = (1...8).map { policy.pause(after: Self.failure, try: $0, jitter: jitter) }
        let longest = [100, 200, 400, 800, 1600, 2000, 2000, 2000]
        #expect(pauses == longest.map { Duration.milliseconds($0) * jitter })
    }

    @Test func `a base over the cap is the cap`() {
        let policy = RetryPolicy(attempts: 3, base: .seconds(9), cap: .seconds(2))
        #expect((1...2).map { policy.pause(after: Self.failure, try: $0, jitter: 1) } == [.seconds(2), .seconds(2)])
    }

    @Test(arguments: 1...4)
    func `attempts are tries in all, the first one included`(attempts: Int) {
        let policy = RetryPolicy(attempts: attempts)
        let pauses = (1...5).map { policy.pause(after: Self.failure, try: $0, jitter: 0) != nil }
        #expect(pauses.count { $0 } == attempts - 1)
        #expect(pauses.prefix(attempts - 1).allSatisfy { $0 })
    }

    @Test(
        arguments: [(0, 100), (1000, 1100), (1950, 2000), (2000, 2000), (2001, nil), (86_400_000, nil)] as [(Int, Int?)]
    )
    func `a Retry-After up to the cap is waited for, with jitter on top up to the cap; a longer one is a no`(
        named: Int, pause: Int?
    ) {
        let policy = RetryPolicy(attempts: 2, base: .milliseconds(100), cap: .seconds(2))
        for status in [429, 503] {
            let failure = ProductsFailure.upstreamStatus(status, retryAfter: .milliseconds(named))
            #expect(policy.pause(after: failure, try: 1, jitter: 1) == pause.map { .milliseconds($0) })
        }
    }

    @Test(
        arguments: [
            .upstreamStatus(404, retryAfter: .zero), .malformed(detail: ""), .refused(.empty(count: 0, minimum: 1)),
            .cancelled, .unreachable(.offline, detail: ""), .circuitOpen(retryAfter: .zero), .overloaded(limit: 1),
            .notStored, .tooLarge(limit: 1),
        ] as [ProductsFailure])
    func `what asking again would not mend is not asked again`(failure: ProductsFailure) {
        #expect(RetryPolicy(attempts: 9).pause(after: failure, try: 1, jitter: 0) == nil)
    }
}

struct RetryBudgetTests {
    @Test(arguments: [(0, 0.2, 30), (4, 0.2, 30), (5, 0.2, 31), (100, 0.2, 50), (100, 0, 30), (100, 1, 130)])
    func `there may be a share of the calls, and three a second besides, over ten seconds`(
        calls: Int, share: Double, retries: Int
    ) {
        var budget = RetryBudget(share: share)
        for _ in 0..<calls { budget.recordCall(at: .zero) }
        #expect(taken(from: &budget, at: .zero) == retries)
        #expect(budget.left(at: .zero) == 0)
    }

    @Test(arguments: [(9_999, 0), (10_000, 30)])
    func `what was taken comes back when its second leaves the window`(milliseconds: Int, retries: Int) {
        var budget = RetryBudget(share: 0.2)
        _ = taken(from: &budget, at: .zero)
        #expect(taken(from: &budget, at: .milliseconds(milliseconds)) == retries)
    }

    @Test(arguments: [(9_999, 32), (10_000, 30)])
    func `what calls earned is gone when they leave the window`(milliseconds: Int, retries: Int) {
        var budget = RetryBudget(share: 0.2)
        for _ in 0..<10 { budget.recordCall(at: .zero) }
        #expect(taken(from: &budget, at: .milliseconds(milliseconds)) == retries)
    }

    @Test func `of a steady load that always fails, retries stay at the share and the floor`() {
        var budget = RetryBudget(share: 0.2)
        var taken: [Int] = []
        for second in 0..<60 {
            for call in 0..<100 {
                let now = Duration.seconds(second) + .milliseconds(call * 10)
                budget.recordCall(at: now)
                if budget.consumeRetry(at: now) { taken.append(second) }
            }
        }
        for start in 0...50 {
            #expect(taken.count { (start..<start + 10).contains($0) } <= 230)
        }
        #expect(taken.count { (50..<60).contains($0) } > 220)
    }

    /// How many retries there are until the budget is used up.
    private func taken(from budget: inout RetryBudget, at now: Duration) -> Int {
        (0..<1000).count { _ in budget.consumeRetry(at: now) }
    }
}

struct SlidingCountTests {
    @Test(arguments: [(0, 1), (29_999, 1), (30_000, 0), (30_001, 0), (1_000_000, 0)])
    func `an event at the beginning of a second is counted for the whole window, and not a moment longer`(
        milliseconds: Int, total: Int
    ) {
        var count = SlidingCount(seconds: 30)
        count.add(at: .zero)
        #expect(count.total(at: .milliseconds(milliseconds)) == total)
    }

    @Test(arguments: [(39_999, 1), (40_000, 0)])
    func `an event leaves with its second`(milliseconds: Int, total: Int) {
        var count = SlidingCount(seconds: 30)
        count.add(at: .milliseconds(10_999))
        #expect(count.total(at: .milliseconds(milliseconds)) == total)
    }

    @Test func `events leave one second after the other`() {
        var count = SlidingCount(seconds: 3)
        for second in [0, 0, 1, 2, 2, 2] { count.add(at: .seconds(second)) }
        #expect((2...6).map { count.total(at: .seconds($0)) } == [6, 4, 3, 0, 0])
    }

    @Test func `a second that comes round again begins with nothing in it`() {
        var count = SlidingCount(seconds: 3)
        for second in 0..<20 {
            count.add(at: .seconds(second))
            #expect(count.total(at: .seconds(second)) == min(second + 1, 3))
        }
        #expect(count.total(at: .seconds(19 + 2)) == 1)
    }

    @Test func `a reading that comes late counts with the newest`() {
        var count = SlidingCount(seconds: 3)
        count.add(at: .seconds(5))
        count.add(at: .seconds(4))
        #expect(count.total(at: .seconds(7)) == 2)
        #expect(count.total(at: .seconds(8)) == 0)
    }
}

struct UpstreamVerdictTests {
    @Test(
        arguments: [
            .unreachable(.refused, detail: ""), .unreachable(.reset, detail: ""), .unreachable(.dns, detail: ""),
            .unreachable(.tls, detail: ""), .unreachable(.truncated, detail: ""), .unreachable(.other, detail: ""),
            .timedOut(after: nil), .timedOut(after: .seconds(2)), .upstreamStatus(429, retryAfter: nil),
            .upstreamStatus(500, retryAfter: nil), .upstreamStatus(503, retryAfter: .seconds(1)),
            .upstreamStatus(599, retryAfter: nil),
        ] as [ProductsFailure])
    func `an upstream that cannot be had, or says that it cannot at the moment, is failing`(failure: ProductsFailure) {
        #expect(UpstreamVerdict(failure) == .failing(failure))
    }

    @Test(
        arguments: [
            nil, .upstreamStatus(404, retryAfter: nil), .upstreamStatus(401, retryAfter: nil),
            .upstreamStatus(301, retryAfter: nil), .malformed(detail: ""), .tooManyRedirects(limit: 5),
            .tooLarge(limit: 1), .refused(.empty(count: 0, minimum: 1)), .refused(.shrunken(from: 9, to: 1)),
        ] as [ProductsFailure?])
    func `an upstream that answered works, whatever its answer is worth`(failure: ProductsFailure?) {
        #expect(UpstreamVerdict(failure) == .works)
    }

    @Test(
        arguments: [
            .unreachable(.offline, detail: ""), .notStored, .storeFailed(detail: ""),
            .unavailable(reason: "", since: nil, retryAfter: .zero), .circuitOpen(retryAfter: .zero),
            .overloaded(limit: 1), .cancelled,
        ] as [ProductsFailure])
    func `what was not asked, or not waited for, says nothing`(failure: ProductsFailure) {
        #expect(UpstreamVerdict(failure) == .unknown)
    }
}
