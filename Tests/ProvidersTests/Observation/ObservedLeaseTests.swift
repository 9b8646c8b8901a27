internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// Answers from a lease count and are shown like those of the graph.
@Suite(.timeLimit(.minutes(1)))
struct ObservedLeaseTests {
    private let fixture = MemoryFixture()
    private let clock = ManualClock()
    private let node = NodeObservation(id: "memory", type: "memory")
    private let traces: RecentTraces
    private let observed: ObservedProductsProvider

    init() {
        traces = RecentTraces(sampler: TraceSampler(uptime: Uptime(of: clock)))
        observed = ObservedProductsProvider(
            upstream: fixture.memory, node: node, isRoot: true, traces: traces, wallClock: fixture.wall.wallClock)
    }

    private func answer(from lease: ProductsLease) -> ProductsAnswer? {
        lease.answer(for: ProductsRequest(), at: fixture.wall.now)
    }

    @Test func `an answer from a lease counts as a call and a hit, and none counts as nothing`() async throws {
        fixture.works()
        let lease = try #require(try await observed.ask().lease)
        #expect(node.counts.calls == 1)
        #expect(answer(from: lease)?.told == "Mug hit")
        #expect(node.counts.calls == 2)
        #expect(node.counts.answers == 2)
        #expect(node.counts.hits == 1)
        #expect(node.counts.inFlight == 0)
        #expect(node.counts.lastConfirmed == fixture.wall.now)
        fixture.pass(.seconds(91))
        #expect(answer(from: lease) == nil)
        #expect(node.counts.calls == 2)
    }

    @Test func `a sample of the answers is shown with the way that asking would have taken`() async throws {
        let memory = ProvidersTests.observed(fixture.memory, "memory", isRoot: false, traces: traces)
        let audience = ProvidersTests.observed(
            AudienceProductsProviderStrategy(header: "X-Tier", cases: [:], otherwise: memory), "audience",
            traces: traces)
        try await fixture.warm()
        let lease = try #require(try await audience.ask().lease)
        let asked = traces.answer
        #expect(asked.map(\.node) == ["audience", "memory"])
        traces.finish(SpanRecorder(), isAnswer: true, isRefresh: false)
        clock.advance(by: .seconds(10))
        #expect(answer(from: lease) != nil)
        #expect(traces.answer.map(\.node) == asked.map(\.node))
        #expect(traces.answer.map(\.parent) == asked.map(\.parent))
        #expect(traces.answer.map(\.outcome) == asked.map(\.outcome))
        while traces.beginAnswer() != nil {}
        traces.finish(SpanRecorder(), isAnswer: true, isRefresh: false)
        #expect(answer(from: lease) != nil)
        #expect(traces.answer.isEmpty)
        #expect(traces.refresh.isEmpty)
    }

    @Test func `a provider that returns its upstream's answer as it is drops the lease`() async throws {
        struct Silent: ProductsProvider {
            let upstream: any ProductsProvider

            func products(for request: ProductsRequest) async throws -> ProductsAnswer {
                try await upstream.products(for: request)
            }
        }
        fixture.works()
        #expect(try await ProvidersTests.observed(Silent(upstream: observed), "silent").ask().lease == nil)
        #expect(try await ProvidersTests.observed(observed, "observer").ask().lease == nil)
        #expect(try await observed.ask().lease != nil)
    }

    @Test func `without an observer nothing has a lease`() async throws {
        fixture.works()
        #expect(try await fixture.memory.ask().lease == nil)
        let audience = AudienceProductsProviderStrategy(header: "X-Tier", cases: [:], otherwise: fixture.memory)
        #expect(try await audience.ask().lease == nil)
        #expect(try await ProvidersTests.observed(audience, "audience").ask().lease == nil)
    }
}
