@testable import Serving
import Concurrency
import FoundationEssentials
import Products
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct KeepWarmTests {
    @Test func `the graph is asked while nothing can be served, and again when the catalogue is too old`() async throws
    {
        let wall = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let clock = ManualClock()
        let provider = ScriptedProvider(.failure(ProductsFailure.notStored))
        let readiness = ReadinessTracker(wallClock: WallClock { wall.now })
        let watched = ReadinessReportingProvider(
            upstream: provider, readiness: readiness, edition: 1, logger: LogRecorder().logger)
        let keepWarm = KeepWarm(provider: watched, readiness: readiness, clock: clock, interval: .seconds(1))
        let running = Task { try await keepWarm.run() }
        try await pass(clock, asked: 1, provider, then: 2)
        provider.outcome = .success(makeAnswer(try makeCatalogue(), freshness: makeFreshness(isOffline: true)))
        try await pass(clock, asked: 2, provider, then: 3)
        try await pass(clock, asked: 3, provider, then: 3)
        wall.advance(by: .seconds(61))
        try await pass(clock, asked: 3, provider, then: 4)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    /// Checks at rest, lets a second pass, and checks at rest again.
    private func pass(_ clock: ManualClock, asked: Int, _ provider: ScriptedProvider, then: Int) async throws {
        await clock.waitForSleepers()
        #expect(provider.asked == asked)
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers()
        #expect(provider.asked == then)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct FirstAnswerTests {
    /// Answers only once it is cancelled.
    private struct Silent: ProductsProvider {
        let clock: ManualClock

        func products(for request: ProductsRequest) async throws -> ProductsAnswer {
            try await clock.sleep(for: .seconds(1000))
            throw ProductsFailure.notStored
        }
    }

    /// Answers only requests that opt out of analytics.
    private struct Discreet: ProductsProvider {
        let answer: ProductsAnswer

        func products(for request: ProductsRequest) async throws -> ProductsAnswer {
            guard request.analyticsOptOut else { throw ProductsFailure.notStored }
            return answer
        }
    }

    private let clock = ManualClock()

    private func outcome(of provider: some ProductsProvider) async -> Result<ProductsAnswer, any Error>? {
        await FirstAnswer(provider: provider, patience: .seconds(10), clock: clock).outcome()
    }

    @Test func `the answer is that to a request that is not counted`() async throws {
        let answer = makeAnswer(try makeCatalogue())
        let outcome = await outcome(of: Discreet(answer: answer))
        #expect(try outcome?.get().snapshot.revision == answer.snapshot.revision)
    }

    @Test func `a failure is passed on`() async throws {
        let outcome = try #require(await outcome(of: ScriptedProvider(.failure(ProductsFailure.notStored))))
        #expect(throws: ProductsFailure.notStored) { try outcome.get() }
    }

    @Test func `a late answer is none`() async {
        async let outcome = outcome(of: Silent(clock: clock))
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        #expect(await outcome == nil)
    }

    @Test func `a cancelled request has no answer`() async {
        let task = Task { await outcome(of: Silent(clock: clock)) == nil }
        await clock.waitForSleepers(2)
        task.cancel()
        #expect(await task.value)
    }
}
