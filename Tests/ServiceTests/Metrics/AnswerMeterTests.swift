import FoundationEssentials
import Products
import Testing

@testable import Service

@Suite("Answers, by where they came from and how fresh they were")
struct AnswerMeterTests {
    private static let offline = ProductsFailure.unreachable(.refused, detail: "test")

    private func answer(
        _ origin: ProductsOrigin, _ trail: [TrailOutcome] = [], _ freshness: Freshness? = nil
    ) throws -> ProductsAnswer {
        ProductsAnswer(
            snapshot: ProductsSnapshot(
                catalogue: try makeCatalogue(), fetchedAt: Date(timeIntervalSince1970: 1_800_000_000), origin: origin),
            trail: trail.map { TrailStep(node: "node", outcome: $0) }, freshness: freshness)
    }

    @Test(
        "Who waited for a refresh was answered from where that went; who did not, from memory",
        arguments: [
            (ProductsOrigin.network, AnswerOrigin.network), (.store, .store), (.bundled, .bundled),
        ])
    func origin(origin: ProductsOrigin, expected: AnswerOrigin) throws {
        let waited = makeFreshness(.forwarded(reason: .miss, status: nil, stored: true))
        #expect(AnswerOrigin(try answer(origin)) == expected)
        #expect(AnswerOrigin(try answer(origin, [.fetched, .miss], waited)) == expected)
        #expect(AnswerOrigin(try answer(origin, [.hit], makeFreshness(.hit))) == .memory)
    }

    @Test("Stale is what was served past its time; what a refresh has just brought is fresh")
    func freshness() throws {
        let hit = makeFreshness(.hit)
        let waited = makeFreshness(.forwarded(reason: .stale, status: nil, stored: true))
        #expect(AnswerFreshness(try answer(.network, [.hit], hit)) == .fresh)
        #expect(AnswerFreshness(try answer(.network, [.stale], hit)) == .stale)
        #expect(AnswerFreshness(try answer(.network, [.stale, .chose(role: "a")], hit)) == .stale)
        #expect(AnswerFreshness(try answer(.network, [.fetched, .stale], waited)) == .fresh)
    }

    @Test("While the upstream fails everything is offline, with and without a memory")
    func offline() throws {
        #expect(AnswerFreshness(try answer(.network, [.stale], makeFreshness(.hit, isOffline: true))) == .offline)
        #expect(AnswerFreshness(try answer(.store, [.failed(Self.offline), .hit])) == .offline)
        #expect(AnswerFreshness(try answer(.network, [.fetched])) == .fresh)
    }

    @Test("Each pair has a counter of its own, which is there from the start")
    func counters() async throws {
        let registry = MetricsRegistry()
        let meter = AnswerMeter(registry)
        meter.note(try answer(.bundled, [.failed(Self.offline)]))
        for _ in 0..<2 { meter.note(try answer(.network, [.stale], makeFreshness(.hit))) }
        let exposed = try ExposedMetrics(MetricsWriter.text(of: await registry.families(), in: .text), .text)
        let samples = try #require(exposed["larder_answers_total"]).samples
        #expect(samples.count == 12)
        #expect(samples.reduce(0) { $0 + $1.value } == 3)
        #expect(exposed.value("larder_answers_total", ["origin": "bundled", "freshness": "offline"]) == 1)
        #expect(exposed.value("larder_answers_total", ["origin": "memory", "freshness": "stale"]) == 2)
    }
}
