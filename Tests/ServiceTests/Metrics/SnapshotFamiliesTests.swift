import FoundationEssentials
import Products
import Providers
import TestSupport
import Testing

@testable import Service

@Suite("Metrics of kept catalogues")
struct SnapshotFamiliesTests {
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func kept(
        _ products: Int, isServable: Bool, age: TimeInterval = 0, expiresIn remaining: TimeInterval? = nil
    ) throws -> KeptSnapshot {
        KeptSnapshot(
            snapshot: ProductsSnapshot(
                catalogue: try makeCatalogue(Array(repeating: "Mug", count: products)),
                fetchedAt: time.addingTimeInterval(-age), origin: .network),
            isServable: isServable, freshness: remaining.map(freshness))
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

    @Test("Products are those of the poorest variant that may be served; one that may not counts as little as none")
    func products() throws {
        let (gold, silver) = (try kept(7, isServable: true), try kept(5, isServable: true))
        let expired = try kept(3, isServable: false)
        let labels = ["provider": "storefront"]
        let expected: [([KeptSnapshot], Double)] = [
            ([gold, silver], 5), ([gold, expired], 7), ([expired, silver, gold], 5), ([expired], 0), ([], 0),
        ]
        for (snapshots, products) in expected {
            #expect(try exposed(snapshots).value("larder_snapshot_products", labels) == products)
        }
    }

    @Test("The age is that of the oldest variant, served or not")
    func age() throws {
        let exposed = try exposed([try kept(1, isServable: true, age: 2), try kept(1, isServable: false, age: 90)])
        let labels = ["provider": "storefront"]
        #expect(exposed.value("larder_snapshot_age_seconds", labels) == 90)
        #expect(
            exposed.value("larder_snapshot_last_success_timestamp_seconds", labels) == time.timeIntervalSince1970 - 90)
    }

    @Test("The catalogue expires when its first variant does, in the past too; what never expires has no such series")
    func expiry() throws {
        let (name, labels) = ("larder_snapshot_expiry_timestamp_seconds", ["provider": "storefront"])
        let day = try kept(1, isServable: true, expiresIn: 86_400.0004)
        let hour = try kept(1, isServable: true, expiresIn: 3600)
        let gone = try kept(1, isServable: false, expiresIn: -60)
        let time = time.timeIntervalSince1970
        #expect(try exposed([day]).value(name, labels) == time + 86_400)
        #expect(try exposed([day, hour]).value(name, labels) == time + 3600)
        #expect(try exposed([gone, day, hour]).value(name, labels) == time - 60)
        #expect(try exposed([try kept(1, isServable: true)])[name] == nil)
    }
}
