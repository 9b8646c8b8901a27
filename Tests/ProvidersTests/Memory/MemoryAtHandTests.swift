internal import Products
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import Providers

/// What is at hand is what a caller who could wait would get.
@Suite(.timeLimit(.minutes(1)))
struct MemoryAtHandTests {
    private let fixture = MemoryFixture()

    @Test(
        "what need not be waited for is at hand, with the refresh behind it",
        arguments: [(0, TrailOutcome.hit, 1), (30_000, .hit, 1), (30_001, .stale, 2), (90_000, .stale, 2)])
    func atHand(milliseconds: Int, outcome: TrailOutcome, refreshes: Int) async throws {
        try await fixture.warm()
        fixture.pass(.milliseconds(milliseconds))
        let answer = try #require(try fixture.memory.answerAtHand(for: ProductsRequest()))
        #expect(answer.trail == [TrailStep(node: "memory", outcome: outcome)])
        #expect(answer.freshness?.verdict == .hit)
        await fixture.refreshes(refreshes)
        #expect(fixture.upstream.calls == refreshes)
    }

    @Test("what has to be waited for is not, and nobody is asked for it before somebody waits")
    func toBeWaitedFor() async throws {
        fixture.works()
        #expect(try fixture.memory.answerAtHand(for: ProductsRequest()) == nil)
        #expect(fixture.upstream.calls == 0)
        #expect(try await fixture.told() == "Mug miss")
        fixture.pass(.seconds(91))
        #expect(try fixture.memory.answerAtHand(for: ProductsRequest()) == nil)
        #expect(fixture.upstream.calls == 1)
        #expect(try await fixture.told() == "Mug stale")
        #expect(fixture.upstream.calls == 2)
    }

    @Test("what is at hand for one audience is not for another")
    func apart() async throws {
        let shelf = AudienceFixture()
        let gold = ProductsRequest(headers: ["x-tier": "gold"])
        #expect(try await shelf.told("gold") == "Gold miss")
        let answer = try #require(try shelf.memory.answerAtHand(for: gold))
        #expect(answer.snapshot.revision == makeCatalogue("Gold").revision)
        #expect(try shelf.memory.answerAtHand(for: ProductsRequest(headers: ["x-tier": "bronze"])) == nil)
        #expect(try shelf.memory.answerAtHand(for: ProductsRequest()) == nil)
        #expect(shelf.rest.calls == 0)
        #expect(try await shelf.told("bronze") == "Rest miss")
        #expect(
            try shelf.memory.answerAtHand(for: ProductsRequest())?.snapshot.revision
                == makeCatalogue("Rest").revision)
    }

    @Test("while the upstream is left alone, so are the refusals that follow, and the old catalogue")
    func whileLeftAlone() async throws {
        fixture.upstream.fails(MemoryFixture.refused)
        let failure = try #require(try await fixture.memory.failure())
        #expect(throws: failure) { try fixture.memory.answerAtHand(for: ProductsRequest()) }
        fixture.works()
        fixture.pass(.seconds(1))
        #expect(try await fixture.told() == "Mug miss")
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(100))
        #expect(try await fixture.told() == "Mug stale offline")
        let answer = try #require(try fixture.memory.answerAtHand(for: ProductsRequest()))
        #expect(answer.freshness?.isOffline == true)
        #expect(fixture.upstream.calls == 3)
    }

    @Test("the cause of a request is asked for only where a refresh is started for it")
    func cause() async throws {
        struct Source: RequestCauseSource {
            let asked = Shared(0)

            var cause: RequestCause {
                asked.withLock { $0 += 1 }
                return RequestCause(givenID: "mine", serial: (1, 2))
            }
        }
        let source = Source()
        try await fixture.warm()
        let request = ProductsRequest(cause: source)
        for _ in 0..<3 { #expect(try fixture.memory.answerAtHand(for: request) != nil) }
        #expect(source.asked.withLock { $0 } == 0)
        fixture.pass(.milliseconds(30_001))
        #expect(try fixture.memory.answerAtHand(for: request) != nil)
        await fixture.refreshes(2)
        #expect(source.asked.withLock { $0 } > 0)
    }
}
