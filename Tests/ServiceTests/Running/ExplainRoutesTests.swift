import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Explaining over HTTP", .timeLimit(.minutes(1)))
struct ExplainRoutesTests {
    @Test("A hit is explained by the one node that had the answer")
    func hit() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            stand.clock.advance(by: .seconds(3))
            let explained = try await stand.explained()
            #expect(explained["outcome"]?.string == "answered")
            let nodes = try #require(explained["nodes"]?.array).compactMap(\.object)
            #expect(nodes.map { $0["id"]?.string } == ["providers.storefront"])
            #expect(nodes[0]["did"]?.string == "hit")
            #expect(nodes[0]["asked_by"]?.isNull == true)
            #expect(try #require(nodes[0]["duration_ms"]?.number?.double) >= 0)
            let answer = try #require(explained["answer"]?.object)
            #expect(answer["trail"]?.array == ["storefront: hit"])
            #expect(answer["products"]?.number?.integer == 100)
            #expect(answer["cache_status"]?.string == "larder; hit; ttl=7")
            #expect(answer["freshness"]?.object?["fresh_for_seconds"]?.number?.integer == 7)
            let revision = try #require(answer["revision"]?.string)
            #expect(revision.count > 8)
        }
    }

    @Test("The graph is asked for real: who waits for a refresh sees all that was asked, in order and nested")
    func refresh() async throws {
        try await Stand.with({ $0.isMonitored = false }) { stand in
            _ = try await stand.warm()
            try await stand.shop.fail("status=503")
            stand.clock.advance(by: .seconds(40))
            let explained = try await stand.explained()
            let nodes = try #require(explained["nodes"]?.array).compactMap(\.object)
            #expect(
                nodes.map { "\($0["depth"]?.number?.integer ?? -1) \($0["type"]?.string ?? "")" } == [
                    "0 memory", "1 fallback", "2 reachability", "3 caching", "4 validated", "5 analytics", "6 http",
                    "2 analytics", "3 stored",
                ])
            #expect(
                nodes.map { $0["outcome"]?.string }.prefix(7) == [
                    "answered", "answered", "failed", "failed", "failed", "failed", "failed",
                ])
            #expect(nodes[6]["failure"]?.object?["reason"]?.string == "status-503")
            #expect(nodes[8]["asked_by"]?.string == "providers.local")
            #expect(nodes[0]["did"]?.string == "stale")
            let starts = nodes.compactMap { $0["start_ms"]?.number?.double }
            #expect(starts == starts.sorted() && starts.count == 9)
            #expect(explained["answer"]?.object?["freshness"]?.object?["offline"]?.bool == true)
        }
    }

    @Test("A failure is explained as well")
    func failure() async throws {
        try await Stand.with({
            $0.isMonitored = false; $0.path = "/none"
        }) { stand in
            let explained = try await stand.explained()
            #expect(explained["outcome"]?.string == "failed")
            #expect(explained["failure"]?.object?["reason"]?.string == "unavailable")
            #expect(explained["answer"] == nil)
            #expect(try #require(explained["nodes"]?.array).isEmpty == false)
        }
    }

    @Test(
        "Without explain=1 there is nothing to be had, and other parameters are refused",
        arguments: ["", "?explain", "?explain=0", "?explain=1&limit=3", "?view=display"])
    func refused(query: String) async throws {
        try await Stand.with { stand in
            let response = try await stand.get("/products\(query)", admin: true)
            #expect(response.status == 400)
            #expect(response.headers["Content-Type"] == "application/problem+json")
            #expect(response.text.contains("explain"))
        }
    }

    @Test("The port for products explains nothing")
    func clients() async throws {
        try await Stand.with { stand in
            let response = try await stand.get("/products?explain=1")
            #expect(response.status == 400)
        }
    }
}

extension Stand {
    fileprivate func explained() async throws -> JSONObject {
        let response = try await get("/products?explain=1", admin: true)
        #expect(response.status == 200)
        #expect(response.headers["Cache-Control"] == "no-store")
        return try #require(response.json)
    }
}
