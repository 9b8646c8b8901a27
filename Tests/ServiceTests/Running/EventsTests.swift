import Networking
import TestSupport
import Testing

@testable import Service

@Suite("The events file", .timeLimit(.minutes(1)))
struct EventsTests {
    @Test("Hits of network and store are there in the numbers that really happened, and all of them after a stop")
    func counts() async throws {
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

    @Test("The numbers agree with the upstream's own count through bad and good days")
    func agreement() async throws {
        try await Stand.with {
            $0.isMonitored = false
        } _: { stand in
            // The service asks by itself when it starts; that is over before anything is counted.
            _ = try await stand.warm()
            var good = try await stand.shop.requests()
            for mode in ["none", "status=503", "none", "html", "none"] {
                try await stand.shop.fail(mode)
                let before = try await stand.shop.requests()
                stand.clock.advance(by: .seconds(40))
                if mode == "none" {
                    try await eventually { try await stand.get("/products").headers["Age"] == "0" }
                    good += try await stand.shop.requests() - before
                } else {
                    _ = try await stand.get("/products")
                    // The refresh runs behind the answer: it is to meet this mode, not the next one.
                    try await eventually { try await stand.shop.requests() > before }
                }
            }
            try await stand.stop()
            let events = try stand.events()
            #expect(events.count { $0 == "products_network_hit" } == good)
            #expect(events.count == (try await stand.shop.requests()))
        }
    }
}
