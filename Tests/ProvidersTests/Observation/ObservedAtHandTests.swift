internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

/// Whichever way an answer is asked for, it counts the same.
@Suite(.timeLimit(.minutes(1)))
struct ObservedAtHandTests {
    private let fixture = MemoryFixture()
    private let clock = ManualClock()
    private let node = NodeObservation(id: "memory", type: "memory")
    private let ways: RecentTraces
    private let observed: ObservedProductsProvider

    init() {
        ways = RecentTraces(sampler: TraceSampler(uptime: Uptime(of: clock)))
        observed = ObservedProductsProvider(
            upstream: fixture.memory, node: node, isRoot: true, ways: ways, wallClock: fixture.wall.wallClock)
    }

    /// Follows requests until no more are followed at this moment.
    private func useUpFollowing() {
        while ways.beginAnswer() != nil {}
    }

    @Test("an answer at hand counts as a call and a hit, one that is not counts as nothing")
    func answers() async throws {
        useUpFollowing()
        fixture.works()
        #expect(try observed.answerAtHand(for: ProductsRequest()) == nil)
        #expect(node.counts.calls == 0)
        _ = try await observed.ask()
        #expect(try observed.answerAtHand(for: ProductsRequest()) != nil)
        _ = try await observed.ask()
        #expect(node.counts.calls == 3)
        #expect(node.counts.answers == 3)
        #expect(node.counts.hits == 2)
        #expect(node.counts.inFlight == 0)
        #expect(node.counts.lastConfirmed == fixture.wall.now)
    }

    @Test("a failure at hand counts as one")
    func failures() async throws {
        useUpFollowing()
        fixture.upstream.fails(MemoryFixture.refused)
        let failure = try #require(try await observed.failure())
        #expect(throws: failure) { try observed.answerAtHand(for: ProductsRequest()) }
        #expect(node.counts.calls == 2)
        #expect(node.counts.failures == 2)
        #expect(node.counts.lastFailure?.failure == failure)
        #expect(node.counts.inFlight == 0)
    }

    @Test("a request that cannot wait is not followed")
    func unfollowed() async throws {
        try await fixture.warm()
        var request = ProductsRequest()
        #expect(try observed.answerAtHand(for: request) == nil)
        request.onlyIfAtHand = true
        #expect(try observed.answerAtHand(for: request) != nil)
        #expect(ways.answer.isEmpty)
    }

    @Test("who is followed has to wait, and is followed then")
    func followed() async throws {
        try await fixture.warm()
        useUpFollowing()
        let recorder = SpanRecorder()
        let explained = ProductsRequest(explanation: Explanation(recorder: recorder))
        #expect(try observed.answerAtHand(for: explained) == nil)
        #expect(recorder.visits.isEmpty)
        #expect(ways.answer.isEmpty)
        clock.advance(by: .milliseconds(101))
        #expect(try observed.answerAtHand(for: ProductsRequest()) == nil)
        _ = try await observed.ask()
        #expect(ways.answer.map(\.node) == ["memory"])
        #expect(try observed.answerAtHand(for: ProductsRequest()) != nil)
        #expect(node.counts.calls == 2)
    }

    @Test("over what is never prompt nothing is at hand")
    func overOthers() throws {
        useUpFollowing()
        let observed = ObservedProductsProvider(
            upstream: fixture.upstream, node: node, isRoot: true, ways: ways, wallClock: fixture.wall.wallClock)
        #expect(try observed.answerAtHand(for: ProductsRequest()) == nil)
        #expect(fixture.upstream.calls == 0)
        #expect(node.counts.calls == 0)
    }
}
