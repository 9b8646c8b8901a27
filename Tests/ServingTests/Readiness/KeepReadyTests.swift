import Concurrency
import FoundationEssentials
import Products
import Serving
import ServingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KeepReadyTests {
    @Test func `the graph is asked while nothing can be served, and again when the catalogue is too old`() async throws
    {
        let wall = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let clock = ManualClock()
        let provider = ScriptedProvider(.failure(ProductsFailure.notStored))
        let readiness = ReadinessTracker(wallClock: WallClock { wall.now })
        let watched = ReadinessReportingProvider(
            upstream: provider, readiness: readiness, edition: 1, logger: LogRecorder().logger)
        let running = Task { try await watched.keepReady(clock: clock, interval: .seconds(1)) }
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
