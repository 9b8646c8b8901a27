import FoundationEssentials
import Products
import Prometheus
import Providers
import ServingTestSupport
import TestSupport
import Testing

@testable import OperatorsAPI

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
        return try ExposedMetrics(MetricsWriter.text(of: families))
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
