internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct TimeoutProductsProviderDecoratorTests {
    private static let limit = Duration.seconds(3)
    private let upstream = ScriptedProvider()
    private let clock = ManualClock()

    @Test func `an answer or a failure in time passes as it is, and no timer is left`() async throws {
        upstream.does { ProductsAnswer(snapshot: makeSnapshot(), trail: [TrailStep(node: "http", outcome: .fetched)]) }
        #expect(try await timeout(upstream).ask().steps == ["http: fetched"])
        upstream.fails(.notStored)
        #expect(try await timeout(upstream).failure() == .notStored)
        #expect(clock.sleepers == 0)
    }

    @Test func `a moment before the time is over there may still be an answer`() async throws {
        upstream.gives(makeSnapshot())
        upstream.hold()
        let provider = timeout(upstream)
        let caller = Task { try await provider.ask() }
        await upstream.wait(parked: 1)
        await clock.waitForSleepers()
        clock.advance(by: Self.limit - .milliseconds(1))
        #expect(clock.sleepers == 1)
        upstream.release()
        #expect(try await caller.value.snapshot.revision == makeCatalogue().revision)
        #expect(upstream.cancellations == 0)
    }

    @Test func `when the time is over the failure says so, and what is below is called off`() async throws {
        upstream.hold()
        let provider = timeout(upstream)
        let caller = Task { try await provider.failure() }
        await upstream.wait(parked: 1)
        await clock.waitForSleepers()
        clock.advance(by: Self.limit)
        #expect(try await caller.value == .timedOut(after: Self.limit))
        await upstream.wait(cancellations: 1)
    }

    @Test
    func `what is below and cannot be called off is not waited for, and what it brings is dropped`() async throws {
        let stubborn = StubbornProvider()
        let provider = timeout(stubborn)
        let caller = Task { try await provider.failure() }
        await clock.waitForSleepers()
        clock.advance(by: Self.limit)
        #expect(try await caller.value == .timedOut(after: Self.limit))
        stubborn.release()
        await stubborn.wait(answered: 1)
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
    }

    @Test func `a caller that is cancelled does not wait for what cannot be called off`() async throws {
        let stubborn = StubbornProvider()
        let provider = timeout(stubborn)
        let caller = Task { try await provider.ask() }
        await clock.waitForSleepers()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(clock.sleepers == 0)
        stubborn.release()
        await stubborn.wait(answered: 1)
    }

    @Test
    func `the request's deadline becomes the sooner of the two, and the rest of the request stays`() async throws {
        upstream.gives(makeSnapshot())
        let start = ContinuousClock.now
        let sooner = start + .seconds(1)
        let requests = [nil, sooner, start + .seconds(3600)].map {
            ProductsRequest(headers: ["x-user": "me"], analyticsOptOut: true, deadline: $0)
        }
        for request in requests { _ = try await timeout(upstream).products(for: request) }
        let end = ContinuousClock.now
        let deadlines = upstream.requests.compactMap(\.deadline)
        #expect(deadlines.count == 3)
        #expect(deadlines[1] == sooner)
        for limited in [deadlines[0], deadlines[2]] {
            #expect((start + Self.limit...end + Self.limit).contains(limited))
        }
        #expect(upstream.requests.allSatisfy { $0.headers["x-user"] == "me" && $0.analyticsOptOut })
    }

    @Test
    func `answer and deadline at the same instant: there is one outcome, and nothing is left of the other`()
        async throws
    {
        for _ in 0..<200 {
            let upstream = ScriptedProvider()
            upstream.gives(makeSnapshot())
            upstream.hold()
            let provider = timeout(upstream)
            let caller = Task { try await provider.failure() }
            await upstream.wait(parked: 1)
            await clock.waitForSleepers()
            upstream.release()
            clock.advance(by: Self.limit)
            let failure = try await caller.value
            #expect(failure == nil || failure == .timedOut(after: Self.limit))
            #expect(clock.sleepers == 0)
        }
    }

    private func timeout(_ upstream: any ProductsProvider) -> TimeoutProductsProviderDecorator {
        TimeoutProductsProviderDecorator(upstream: upstream, after: Self.limit, clock: clock)
    }
}
