import FoundationEssentials
import Products
import TestSupport
import Testing

@testable import Service

@Suite("Readiness")
struct ReadinessTrackerTests {
    private let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))

    private func make(_ outcome: Result<ProductsAnswer, any Error>) -> (ScriptedProvider, ReadinessTracker) {
        let provider = ScriptedProvider(outcome)
        return (provider, ReadinessTracker(upstream: provider, wallClock: WallClock { [clock] in clock.now }))
    }

    private func summary(_ tracker: ReadinessTracker) -> String {
        switch tracker.verdict {
        case .ready: "ready"
        case .empty(let reason): "empty: \(reason)"
        case .draining: "draining"
        }
    }

    @Test("Before the first answer there is nothing to serve")
    func atStart() {
        let (_, tracker) = make(.failure(ProductsFailure.notStored))
        #expect(summary(tracker) == "empty: no answer yet")
    }

    @Test("An answer makes ready, a failure unready for its reason, the next answer ready again")
    func followsAnswers() async throws {
        let answer = makeAnswer(try makeCatalogue())
        let (provider, tracker) = make(.success(answer))
        _ = try await tracker.products(for: ProductsRequest())
        #expect(summary(tracker) == "ready")
        provider.outcome = .failure(ProductsFailure.upstreamStatus(503, retryAfter: nil))
        await #expect(throws: ProductsFailure.self) { try await tracker.products(for: ProductsRequest()) }
        #expect(summary(tracker) == "empty: status-503")
        provider.outcome = .success(answer)
        _ = try await tracker.products(for: ProductsRequest())
        #expect(summary(tracker) == "ready")
    }

    @Test("Ready lasts as long as the answer may be served, without anyone asking")
    func endsWithTheAnswer() async throws {
        let (_, tracker) = make(.success(makeAnswer(try makeCatalogue(), freshness: makeFreshness())))
        _ = try await tracker.products(for: ProductsRequest())
        clock.advance(by: .seconds(60))
        #expect(summary(tracker) == "ready")
        clock.advance(by: .seconds(0.5))
        #expect(summary(tracker) == "empty: too-old")
    }

    @Test(
        "A request that was cancelled says nothing",
        arguments: [CancellationError(), ProductsFailure.cancelled] as [any Error])
    func cancelled(error: any Error) async throws {
        let (provider, tracker) = make(.success(makeAnswer(try makeCatalogue())))
        _ = try await tracker.products(for: ProductsRequest())
        provider.outcome = .failure(error)
        await #expect(throws: (any Error).self) { try await tracker.products(for: ProductsRequest()) }
        #expect(summary(tracker) == "ready")
    }

    @Test("Draining is not ready, whatever there is to serve")
    func draining() async throws {
        let (_, tracker) = make(.success(makeAnswer(try makeCatalogue())))
        tracker.startDraining()
        _ = try await tracker.products(for: ProductsRequest())
        #expect(summary(tracker) == "draining")
    }
}
