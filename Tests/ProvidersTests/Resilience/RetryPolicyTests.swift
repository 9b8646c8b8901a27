internal import Products
internal import Testing

@testable internal import Providers

struct RetryPolicyTests {
    private static let failure = ProductsFailure.upstreamStatus(503, retryAfter: nil)

    @Test("the pause lies anywhere from nothing to a limit that doubles up to the cap", arguments: [0, 0.25, 1])
    func jitter(jitter: Double) {
        let policy = RetryPolicy(attempts: 10, base: .milliseconds(100), cap: .seconds(2))
        let pauses = (1...8).map { policy.pause(after: Self.failure, try: $0, jitter: jitter) }
        let longest = [100, 200, 400, 800, 1600, 2000, 2000, 2000]
        #expect(pauses == longest.map { Duration.milliseconds($0) * jitter })
    }

    @Test("a base over the cap is the cap")
    func longBase() {
        let policy = RetryPolicy(attempts: 3, base: .seconds(9), cap: .seconds(2))
        #expect((1...2).map { policy.pause(after: Self.failure, try: $0, jitter: 1) } == [.seconds(2), .seconds(2)])
    }

    @Test("attempts are tries in all, the first one included", arguments: 1...4)
    func attempts(attempts: Int) {
        let policy = RetryPolicy(attempts: attempts)
        let pauses = (1...5).map { policy.pause(after: Self.failure, try: $0, jitter: 0) != nil }
        #expect(pauses.count { $0 } == attempts - 1)
        #expect(pauses.prefix(attempts - 1).allSatisfy { $0 })
    }

    @Test(
        "a Retry-After up to the cap is waited for, with jitter on top up to the cap; a longer one is a no",
        arguments: [(0, 100), (1000, 1100), (1950, 2000), (2000, 2000), (2001, nil), (86_400_000, nil)] as [(Int, Int?)]
    )
    func retryAfter(named: Int, pause: Int?) {
        let policy = RetryPolicy(attempts: 2, base: .milliseconds(100), cap: .seconds(2))
        for status in [429, 503] {
            let failure = ProductsFailure.upstreamStatus(status, retryAfter: .milliseconds(named))
            #expect(policy.pause(after: failure, try: 1, jitter: 1) == pause.map { .milliseconds($0) })
        }
    }

    @Test(
        "what asking again would not mend is not asked again",
        arguments: [
            .upstreamStatus(404, retryAfter: .zero), .malformed(detail: ""), .refused(.empty(count: 0, minimum: 1)),
            .cancelled, .unreachable(.offline, detail: ""), .circuitOpen(retryAfter: .zero), .overloaded(limit: 1),
            .notStored, .tooLarge(limit: 1),
        ] as [ProductsFailure])
    func hopeless(failure: ProductsFailure) {
        #expect(RetryPolicy(attempts: 9).pause(after: failure, try: 1, jitter: 0) == nil)
    }
}
