import JSON
import Networking
import TestSupport
import Testing

@Suite("Example configs: audience", .timeLimit(.minutes(1)))
struct CompositionAudienceTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("Premium users are served from memory, the shop up or down; regular users get what the shop says")
    func audience() async throws {
        let api = PlainShop("shop")
        let shop = StandIn(api)
        defer { shop.close() }
        try await ComposedService.with(.audience, upstreams: [shop], in: directory) { service in
            let ready = shop.requests.count
            for _ in 0..<3 {
                let regular = try await service.get()
                #expect(ListedProduct.all(in: regular.body) == api.products)
                #expect(regular.headers["Vary"]?.contains("X-Tier") == true)
                #expect(regular.headers["Cache-Control"]?.contains("private") == true)
            }
            #expect(shop.requests.count == ready + 3)

            for _ in 0..<3 {
                #expect(try await ListedProduct.all(in: service.get(("X-Tier", "premium")).body) == api.products)
            }
            #expect(shop.requests.count == ready + 4)

            api.turn(down: true)
            #expect(try await service.get().status == 503)
            #expect(try await service.get(("X-Tier", "gold")).status == 503)
            let premium = try await service.get(("X-Tier", "premium"))
            #expect(ListedProduct.all(in: premium.body) == api.products)
            #expect(shop.requests.count == ready + 6)
        }
    }
}
