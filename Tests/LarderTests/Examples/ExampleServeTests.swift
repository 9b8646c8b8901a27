import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite("Example configs: larder serve", .timeLimit(.minutes(2)))
struct ExampleServeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "A shop that dies in the middle of its second page leaves the catalogue as it was, until it lives again",
        arguments: Example.all)
    func death(example: Example) async throws {
        let (old, new) = (Ware.stock(), Ware.stock(edition: 1))
        let shop = StandIn(example.api, wares: old)
        defer { shop.close() }
        var environment = try example.environment(upstream: shop.url, in: directory)
        environment["LARDER_TTL"] = "50ms"
        let service = try LarderProcess(
            ["serve", "--config", example.config], environment: environment, in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "port")
        try await Visitor.with { visitor in
            try await eventually { try await visitor.get(port, "/products").status == 200 }
            let before = try await visitor.get(port, "/products")
            #expect(ListedProduct.all(in: before.body) == example.products(of: old))
            #expect(before.headers["ETag"] != nil)

            shop.die(with: new)
            try await eventually {
                _ = try await visitor.get(port, "/products")
                return service.log.contains { $0["message"] == "upstream fails, serving the last good catalogue" }
            }
            #expect(shop.deaths >= 1)
            let during = try await visitor.get(port, "/products")
            #expect(during.status == 200)
            #expect(during.headers["ETag"] == before.headers["ETag"])
            #expect(during.body == before.body)

            shop.revive()
            try await eventually {
                ListedProduct.all(in: try await visitor.get(port, "/products").body) == example.products(of: new)
            }
        }
        #expect(!example.isTold(in: String(decoding: service.output, as: UTF8.self) + service.error))
    }
}
