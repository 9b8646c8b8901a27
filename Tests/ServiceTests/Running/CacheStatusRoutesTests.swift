import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Cache-Status over HTTP", .timeLimit(.minutes(1)))
struct CacheStatusRoutesTests {
    @Test("An answer says in a machine's words how it came about, on each day of the upstream's life")
    func forms() async throws {
        try await Stand.with {
            $0.holdOff = "30s"
        } _: { stand in
            _ = try await stand.warm()
            stand.clock.advance(by: .seconds(4))
            #expect(try await status(stand) == "larder; hit; ttl=6")
            stand.clock.advance(by: .seconds(40))
            #expect(try await status(stand) == "larder; fwd=stale; stored")
            try await stand.shop.fail("status=503")
            stand.clock.advance(by: .seconds(40))
            #expect(try await status(stand) == "larder; fwd=stale; fwd-status=503; detail=stale-if-error")
            #expect(try await status(stand) == "larder; hit; ttl=-30; detail=offline")
        }
    }

    @Test("After the clock went back an hour no window is longer than it ever is, with the upstream gone too")
    func clockSetBack() async throws {
        try await Stand.with {
            $0.holdOff = "30s"
        } _: { stand in
            _ = try await stand.warm()
            stand.clock.advance(by: .seconds(-3600))
            #expect(try await status(stand) == "larder; hit; ttl=10")
            stand.clock.advance(by: .seconds(3640))
            try await stand.shop.fail("status=503")
            _ = try await status(stand)
            stand.clock.advance(by: .seconds(-3640))
            #expect(try await status(stand) == "larder; hit; ttl=10; detail=offline")
            let serving = try await stand.get("/graph", admin: true).json?["serving"]?.object
            #expect(serving?["fresh_for_seconds"]?.number?.double == 10)
        }
    }

    @Test("A graph that keeps nothing says that it is no cache")
    func bypass() async throws {
        try await VariedStand.with("top: rest") { stand in
            let answer = try await stand.get()
            #expect(answer.headers["Cache-Status"] == "larder; fwd=bypass")
        }
    }

    @Test("What was not there is a miss, and is kept")
    func miss() async throws {
        let graph = """
            kept_gold: { type: memory, upstream: gold }
            kept_rest: { type: memory, upstream: rest }
            top: { type: audience, header: X-Tier, cases: { gold: kept_gold }, otherwise: kept_rest }
            """
        try await VariedStand.with(graph) { stand in
            let answer = try await stand.get("/products", ["X-Tier": "gold"])
            #expect(answer.headers["Cache-Status"] == "larder; fwd=uri-miss; stored")
        }
    }

    private func status(_ stand: Stand) async throws -> String? {
        try await stand.get("/products").headers["Cache-Status"]
    }
}
