internal import Concurrency
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct RetryProductsProviderDecoratorTests {
    private static let failure = ProductsFailure.upstreamStatus(503, retryAfter: nil)
    private let upstream = ScriptedProvider()
    private let clock = ManualClock()

    @Test
    func `while the upstream fails it is asked as often as attempts says, and the last failure is thrown`() async throws
    {
        for attempts in 1...5 {
            let calls = upstream.calls
            upstream.does { [upstream] in throw ProductsFailure.upstreamStatus(500 + upstream.calls, retryAfter: nil) }
            let failure = try await retry(RetryPolicy(attempts: attempts), jitter: 0).failure()
            #expect(upstream.calls - calls == attempts)
            #expect(failure == .upstreamStatus(500 + upstream.calls, retryAfter: nil))
        }
    }

    @Test
    func `an answer at the first try passes as it is; a later one says so, and is a success all the same`() async throws
    {
        let steps = [TrailStep(node: "http", outcome: .fetched)]
        upstream.does { ProductsAnswer(snapshot: makeSnapshot(), trail: steps) }
        #expect(try await retry(jitter: 0).ask().steps == ["http: fetched"])
        upstream.does { [upstream] in
            if upstream.calls == 2 { throw Self.failure }
            return ProductsAnswer(snapshot: makeSnapshot(), trail: steps)
        }
        let answer = try await retry(jitter: 0).ask()
        #expect(answer.steps == ["http: fetched", "retry: retried"])
        #expect(answer.failure == nil)
        #expect(upstream.calls == 3)
    }

    @Test func `what asking again would not mend passes at once, as it is`() async throws {
        struct Strange: Error {}
        let failures: [any Error] = [
            ProductsFailure.refused(.empty(count: 0, minimum: 1)), ProductsFailure.malformed(detail: "x"),
            ProductsFailure.upstreamStatus(404, retryAfter: nil), CancellationError(), Strange(),
        ]
        for (index, failure) in failures.enumerated() {
            upstream.does { throw failure }
            let thrown = await #expect(throws: (any Error).self) { try await retry(jitter: 0).ask() }
            #expect(thrown.map { "\($0)" } == "\(failure)")
            #expect(upstream.calls == index + 1)
        }
    }

    @Test func `a pause ends on time and not a moment sooner`() async throws {
        upstream.fails(Self.failure)
        let provider = retry(RetryPolicy(attempts: 7), jitter: 1)
        let caller = Task { try await provider.failure() }
        for (index, pause) in [100, 200, 400, 800, 1600, 2000].enumerated() {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(pause - 1))
            #expect(clock.sleepers == 1)
            #expect(upstream.calls == index + 1)
            clock.advance(by: .milliseconds(1))
            await upstream.wait(calls: index + 2)
        }
        #expect(try await caller.value == Self.failure)
    }

    @Test func `a caller that is cancelled in a pause gets no other try`() async throws {
        upstream.fails(Self.failure)
        let provider = retry(jitter: 1)
        let caller = Task { try await provider.ask() }
        await clock.waitForSleepers()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(upstream.calls == 1)
        #expect(clock.sleepers == 0)
    }

    @Test(arguments: [(-1, 1), (3600, 2)])
    func `a retry that would begin after the deadline does not take place`(seconds: Int, calls: Int) async throws {
        upstream.fails(Self.failure)
        let request = ProductsRequest(deadline: ContinuousClock.now + .seconds(seconds))
        await #expect(throws: Self.failure) { try await retry(jitter: 0).products(for: request) }
        #expect(upstream.calls == calls)
    }

    @Test
    func `when the budget is used up failures pass at once; when there is one again they are tried again`() async throws
    {
        upstream.fails(Self.failure)
        let provider = retry(RetryPolicy(budget: 0), jitter: 0)
        for _ in 0..<30 { _ = try await provider.failure() }
        #expect(upstream.calls == 60)
        #expect(provider.shown == "calls 30, retries 30, budget_left 0")
        _ = try await provider.failure()
        clock.advance(by: .milliseconds(9_999))
        _ = try await provider.failure()
        #expect(upstream.calls == 62)
        clock.advance(by: .milliseconds(1))
        _ = try await provider.failure()
        #expect(upstream.calls == 64)
        #expect(provider.shown == "calls 2, retries 1, budget_left 29")
    }

    private func retry(_ policy: RetryPolicy = RetryPolicy(), jitter: Double) -> RetryProductsProviderDecorator {
        RetryProductsProviderDecorator(
            upstream: upstream, policy: policy, clock: clock, jitter: JitterSource { jitter })
    }
}
