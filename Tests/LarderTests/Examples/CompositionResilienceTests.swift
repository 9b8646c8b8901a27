import JSON
import Networking
import TestSupport
import Testing

@Suite("Example configs: resilient", .timeLimit(.minutes(1)))
struct CompositionResilienceTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("A failing shop is tried twice a question, and after five questions not at all; customers notice nothing")
    func resilient() async throws {
        let api = PlainShop("shop")
        let shop = StandIn(api)
        defer { shop.close() }
        let settings = ["LARDER_OPEN_FOR": "30m"]
        try await ComposedService.with(.resilient, upstreams: [shop], settings: settings, in: directory) { service in
            let preview = ("X-Preview", "live")
            let before = try await service.get()
            #expect(ListedProduct.all(in: before.body) == api.products)
            #expect(shop.requests.count == 1)
            #expect(try await ListedProduct.all(in: service.get(preview).body) == api.products)
            #expect(shop.requests.count == 2)

            api.turn(down: true)
            for question in 1...5 {
                #expect(try await service.get(preview).status == 503)
                #expect(shop.requests.count == 2 + 2 * question)
            }
            for _ in 0..<20 { #expect(try await service.get(preview).status == 503) }
            #expect(shop.requests.count == 12)
            let during = try await service.get()
            #expect(during.status == 200)
            #expect(during.body == before.body)
            let opened = service.process.log.filter {
                $0["message"] == "circuit breaker open, the upstream is left alone"
            }
            #expect(opened.count == 1)
        }
    }

    @Test("A shop that comes back is found by the first question after the pause")
    func recovery() async throws {
        let api = PlainShop("shop")
        let shop = StandIn(api)
        defer { shop.close() }
        let settings = ["LARDER_OPEN_FOR": "50ms"]
        try await ComposedService.with(.resilient, upstreams: [shop], settings: settings, in: directory) { service in
            let preview = ("X-Preview", "live")
            api.turn(down: true)
            try await eventually {
                let response = try await service.get(preview)
                #expect(response.status == 503)
                return service.process.log.contains {
                    $0["message"] == "circuit breaker open, the upstream is left alone"
                }
            }
            api.turn(down: false)
            try await eventually { try await service.get(preview).status == 200 }
            try await eventually {
                service.process.log.contains { $0["message"] == "circuit breaker closed" }
            }
        }
    }
}
