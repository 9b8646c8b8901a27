import Products
import TestSupport
import Testing

@testable import Service

@Suite("The first answer of a new graph", .timeLimit(.minutes(1)))
struct FirstAnswerTests {
    /// Answers when it is cancelled, and not before.
    private struct Silent: ProductsProvider {
        let clock: ManualClock

        func products(for request: ProductsRequest) async throws -> ProductsAnswer {
            try await clock.sleep(for: .seconds(1000))
            throw ProductsFailure.notStored
        }
    }

    /// Answers those alone who asked not to be counted.
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

    @Test("is the graph's answer to a request that is not counted")
    func answer() async throws {
        let answer = makeAnswer(try makeCatalogue())
        let outcome = await outcome(of: Discreet(answer: answer))
        #expect(try outcome?.get().snapshot.revision == answer.snapshot.revision)
    }

    @Test("or the graph's failure")
    func failure() async throws {
        let outcome = try #require(await outcome(of: ScriptedProvider(.failure(ProductsFailure.notStored))))
        #expect(throws: ProductsFailure.notStored) { try outcome.get() }
    }

    @Test("or nothing, when it is not there in time; nobody waits for it then")
    func late() async {
        async let outcome = outcome(of: Silent(clock: clock))
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        #expect(await outcome == nil)
    }

    @Test("or nothing, when the service stops meanwhile")
    func cancelled() async {
        let task = Task { await outcome(of: Silent(clock: clock)) == nil }
        await clock.waitForSleepers(2)
        task.cancel()
        #expect(await task.value)
    }
}
