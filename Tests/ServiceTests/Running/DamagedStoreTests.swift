import FileSystem
import FoundationEssentials
import Hashing
import JSON
import Networking
import TestSupport
import Testing

@testable import Persistence
@testable import Products
/// A store whose newest generation has the right checksums, but no products in it.
@Suite(.timeLimit(.minutes(1)))
struct DamagedStoreTests {
    private func forge(_ number: Int, in stand: Stand) throws {
        var products = Array(#"[{"type":"physical","id":"1"},{"type":"bundle"}]"#.utf8)
        let digest = SHA256Digest(of: products).hexDigits
        let catalogue = try #require(
            Catalogue(trusting: &products, in: products.indices, count: 2, digest: digest))
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: stand.clock.now, origin: .network)
        let header = GenerationHeader(snapshot, generation: number)
        let name = GenerationName(number: number)
        try Files.create(
            "\(stand.directory.path)/store/\(name.fileName)", parts: GenerationFile.encode(snapshot, header))
    }

    /// Asks as clients do for everything that is made of products.
    private func askAll(_ stand: Stand) async throws {
        for target in [
            "/products", "/products?view=display", "/products?sort=-price,name&limit=1", "/products?q=mug",
            "/products?type=bundle&min_price=1", "/products/1", "/products?popular=true", "/changes?since=00000000",
        ] {
            let status = try await stand.get(target).status
            #expect([200, 400, 404, 410, 503].contains(status), "\(target)")
        }
        _ = try await stand.get("/history", admin: true)
        _ = try await stand.get("/diff?from=newest&to=newest", admin: true)
    }

    @Test func `damaged products end no request, and the next older generation takes over while the upstream is away`()
        async throws
    {
        try await Stand.with { stand in
            let good = try await stand.warm()
            try await stand.stop()
            try forge(2, in: stand)
            let port = try FreePort.pick()
            try await stand.restart { $0.upstream = "127.0.0.1:\(port)" }
            #expect(try await stand.get("/products").json?["total"] == 2)
            try await askAll(stand)
            try await eventually { try await stand.get("/products").body == good.body }
            try await askAll(stand)
            #expect(try await stand.get("/readyz").status == 200)
            #expect(
                stand.log.count(of: "error: stored generation is damaged, stepping back to an older one") == 1)
            let metrics = try await stand.get("/metrics", admin: true).text
            let counts = metrics.split(separator: "\n").filter { $0.hasPrefix("larder_store_failures_total{") }
            #expect(counts.contains { $0.contains(#"reason="damaged""#) && !$0.hasSuffix(" 0") })
        }
    }

    @Test func `without an older generation there is nothing to serve until the upstream is back`() async throws {
        try await Stand.with { stand in
            let good = try await stand.warm()
            try await stand.stop()
            try Files.remove("\(stand.directory.path)/store/generation-0000000001.json")
            try forge(1, in: stand)
            let (address, port) = (stand.shop.address, try FreePort.pick())
            try await stand.restart { $0.upstream = "127.0.0.1:\(port)" }
            #expect(try await stand.get("/products").status == 200)
            try await eventually { try await stand.get("/readyz").status == 503 }
            #expect(try await stand.get("/products").status == 503)
            try await stand.reload { $0.upstream = address }
            try await eventually { try await stand.get("/products").body == good.body }
        }
    }
}
