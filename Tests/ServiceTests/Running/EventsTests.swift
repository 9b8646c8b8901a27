import Networking
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct EventsTests {
    @Test func `network and store hits are counted exactly, and all are written at a stop`() async throws {
        try await Stand.with {
            $0.holdOff = "30s"
            $0.isMonitored = false
        } _: { stand in
            for _ in 0..<3 {
                for _ in 0..<5 { _ = try await stand.get("/products") }
                stand.clock.advance(by: .seconds(40))
            }
            try await stand.shop.fail("status=500")
            for _ in 0..<5 { _ = try await stand.get("/products") }
            try await stand.restart()
            for _ in 0..<5 { _ = try await stand.get("/products") }
            try await stand.stop()
            let network = Array(repeating: "products_network_hit", count: 3)
            #expect(try stand.events() == network + ["products_cache_hit", "products_cache_hit"])
            #expect(try await stand.shop.requests() == 5)
        }
    }
}
