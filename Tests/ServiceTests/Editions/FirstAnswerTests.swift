import Products
import ServingTestSupport
import TestSupport
import Testing

@testable import Service

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
        await FirstAnswer(provider: provider, timeout: .seconds(10), clock: clock).outcome()
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
