@testable import Prometheus
@testable import OperatorsAPI
@testable import Serving
import FoundationEssentials
import Products
import Providers
import TestSupport
import Testing

@testable import Service

@Suite struct SnapshotFamiliesTests {
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func kept(
        _ products: Int, age: TimeInterval = 0, expiresIn remaining: TimeInterval? = nil
    ) throws -> KeptSnapshot {
        KeptSnapshot(
            snapshot: ProductsSnapshot(
                catalogue: try makeCatalogue(Array(repeating: "Mug", count: products)),
                fetchedAt: time.addingTimeInterval(-age), origin: .network),
            freshness: remaining.map(freshness))
    }

    private func freshness(expiresIn remaining: TimeInterval) -> Freshness {
        Freshness(
            verdict: .hit, isOffline: false, freshUntil: time, servableUntil: time.addingTimeInterval(remaining),
            staleWhileRevalidate: .zero, staleIfError: .zero)
    }

    private func exposed(_ snapshots: [KeptSnapshot]) throws -> ExposedMetrics {
        let families = SnapshotFamilies([("storefront", snapshots)], served: ("storefront", []), at: time).all
        return try ExposedMetrics(MetricsWriter.text(of: families, in: .text), .text)
    }

    @Test func `the poorest servable variant counts`() throws {
        let (gold, silver) = (try kept(7), try kept(5, expiresIn: 0))
        let expired = try kept(3, expiresIn: -1)
        let labels = ["provider": "storefront"]
        let expected: [([KeptSnapshot], Double)] = [
            ([gold, silver], 5), ([gold, expired], 7), ([expired, silver, gold], 5), ([expired], 0), ([], 0),
        ]
        for (snapshots, products) in expected {
            #expect(try exposed(snapshots).value("larder_snapshot_products", labels) == products)
        }
    }

    @Test func `the age is that of the oldest variant`() throws {
        let exposed = try exposed([try kept(1, age: 2), try kept(1, age: 90, expiresIn: -1)])
        let labels = ["provider": "storefront"]
        #expect(exposed.value("larder_snapshot_age_seconds", labels) == 90)
        #expect(
            exposed.value("larder_snapshot_last_success_timestamp_seconds", labels) == time.timeIntervalSince1970 - 90)
    }

    @Test func `the expiry is that of the first variant to expire`() throws {
        let (name, labels) = ("larder_snapshot_expiry_timestamp_seconds", ["provider": "storefront"])
        let day = try kept(1, expiresIn: 86_400.0004)
        let hour = try kept(1, expiresIn: 3600)
        let gone = try kept(1, expiresIn: -60)
        let time = time.timeIntervalSince1970
        #expect(try exposed([day]).value(name, labels) == time + 86_400)
        #expect(try exposed([day, hour]).value(name, labels) == time + 3600)
        #expect(try exposed([gone, day, hour]).value(name, labels) == time - 60)
        #expect(try exposed([try kept(1)])[name] == nil)
    }
}

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
        let registry = MetricsRegistry(known: MetricDescription.known)
        let meter = AnswerMeter(registry)
        meter.record(try answer(.bundled, [.failed(Self.offline)]), at: Self.time(0))
        for _ in 0..<2 { meter.record(try answer(.network, [.stale], makeFreshness(.hit)), at: Self.time(31)) }
        let exposed = try ExposedMetrics(MetricsWriter.text(of: await registry.families(), in: .text), .text)
        let samples = try #require(exposed["larder_answers_total"]).samples
        #expect(samples.count == 12)
        #expect(samples.reduce(0) { $0 + $1.value } == 3)
        #expect(exposed.value("larder_answers_total", ["origin": "bundled", "freshness": "offline"]) == 1)
        #expect(exposed.value("larder_answers_total", ["origin": "memory", "freshness": "stale"]) == 2)
    }
}
