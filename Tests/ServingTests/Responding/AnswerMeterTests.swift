import FoundationEssentials
import Products
import Prometheus
import ServingTestSupport
import TestSupport
import Testing

@testable import Serving

@Suite struct AnswerMeterTests {
    private static let offline = ProductsFailure.unreachable(.refused, detail: "test")

    /// A moment, in seconds after the products were fetched. Freshness ends after 30.
    private static func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_800_000_000 + seconds) }

    private func answer(
        _ origin: ProductsOrigin, _ trail: [TrailOutcome] = [], _ freshness: Freshness? = nil
    ) throws -> ProductsAnswer {
        ProductsAnswer(
            snapshot: ProductsSnapshot(
                catalogue: try makeCatalogue(), fetchedAt: Date(timeIntervalSince1970: 1_800_000_000), origin: origin),
            trail: trail.map { TrailStep(node: "node", outcome: $0) }, freshness: freshness)
    }

    @Test(arguments: [
        (ProductsOrigin.network, AnswerOrigin.network), (.store, .store), (.bundled, .bundled),
    ])
    func `an answer that waited for a refresh counts by its source, another as memory`(
        origin: ProductsOrigin, expected: AnswerOrigin
    ) throws {
        let waited = makeFreshness(.forwarded(reason: .miss, status: nil, stored: true))
        #expect(AnswerOrigin(try answer(origin)) == expected)
        #expect(AnswerOrigin(try answer(origin, [.fetched, .miss], waited)) == expected)
        #expect(AnswerOrigin(try answer(origin, [.hit], makeFreshness(.hit))) == .memory)
    }

    @Test func `stale is an answer served past its freshness`() throws {
        let hit = makeFreshness(.hit)
        let waited = makeFreshness(.forwarded(reason: .stale, status: nil, stored: true))
        let late = makeFreshness(.forwarded(reason: .stale, status: nil, stored: false), isLate: true)
        #expect(Freshness.State(counting: try answer(.network, [.hit], hit), at: Self.time(30)) == .fresh)
        #expect(Freshness.State(counting: try answer(.network, [.stale], hit), at: Self.time(31)) == .stale)
        #expect(
            Freshness.State(counting: try answer(.network, [.stale, .chose(role: "a")], hit), at: Self.time(31))
                == .stale)
        #expect(
            Freshness.State(counting: try answer(.network, [.fetched, .stale], waited), at: Self.time(31)) == .fresh)
        #expect(Freshness.State(counting: try answer(.network, [.stale], late), at: Self.time(31)) == .stale)
    }

    @Test func `every answer is offline while the upstream fails, with and without memory`() throws {
        let hit = makeFreshness(.hit, isOffline: true)
        for seconds in [0.0, 31] {
            #expect(Freshness.State(counting: try answer(.network, [.stale], hit), at: Self.time(seconds)) == .offline)
        }
        #expect(
            Freshness.State(counting: try answer(.store, [.failed(Self.offline), .hit]), at: Self.time(0)) == .offline)
        #expect(Freshness.State(counting: try answer(.network, [.fetched]), at: Self.time(0)) == .fresh)
    }

    @Test func `each pair has a counter from the start`() async throws {
        let registry = MetricsRegistry(known: [.answers])
        let meter = AnswerMeter(registry)
        meter.record(try answer(.bundled, [.failed(Self.offline)]), at: Self.time(0))
        for _ in 0..<2 { meter.record(try answer(.network, [.stale], makeFreshness(.hit)), at: Self.time(31)) }
        let exposed = try ExposedMetrics(MetricsWriter.text(of: await registry.families()))
        let samples = try #require(exposed["larder_answers_total"]).samples
        #expect(samples.count == 12)
        #expect(samples.reduce(0) { $0 + $1.value } == 3)
        #expect(exposed.value("larder_answers_total", ["origin": "bundled", "freshness": "offline"]) == 1)
        #expect(exposed.value("larder_answers_total", ["origin": "memory", "freshness": "stale"]) == 2)
    }
}
