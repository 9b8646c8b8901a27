import JSON
import Networking
import ServingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ExplainRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    @Test func `a hit is explained by the one node that answered`() async throws {
        _ = try await service.warm()
        service.clock.advance(by: .seconds(3))
        let explained = try await service.explained()
        #expect(explained["outcome"]?.string == "answered")
        let nodes = try #require(explained["nodes"]?.array).compactMap(\.object)
        #expect(nodes.map { $0["id"]?.string } == ["providers.top"])
        #expect(nodes[0]["did"]?.string == "hit")
        #expect(nodes[0]["asked_by"]?.isNull == true)
        #expect(try #require(nodes[0]["duration_ms"]?.number?.double) >= 0)
        let answer = try #require(explained["answer"]?.object)
        #expect(answer["trail"]?.array == ["top: hit"])
        #expect(answer["products"]?.number?.integer == 100)
        #expect(answer["cache_status"]?.string == "larder; hit; ttl=7; age=3")
        #expect(answer["freshness"]?.object?["fresh_for_seconds"]?.number?.integer == 7)
        let revision = try #require(answer["revision"]?.string)
        #expect(revision.count > 8)
    }

    @Test func `a refresh is explained by every node asked, in order and nested`() async throws {
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

    @Test func `a failure is explained`() async throws {
        service.shop.fail()
        let explained = try await service.explained()
        #expect(explained["outcome"]?.string == "failed")
        #expect(explained["failure"]?.object?["reason"]?.string == "unavailable")
        #expect(explained["answer"] == nil)
        #expect(try #require(explained["nodes"]?.array).isEmpty == false)
    }

    @Test(arguments: ["", "?explain", "?explain=0", "?explain=1&limit=3", "?view=display"])
    func `explaining takes explain=1 alone, and only on the operators' port`(query: String) async throws {
        #expect(try await service.get("/products?explain=1").status == 400)
        let response = try await service.get("/products\(query)", admin: true)
        #expect(response.status == 400)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.text.contains("explain"))
    }
}

extension AskedService {
    fileprivate func explained() async throws -> JSONObject {
        let response = try await get("/products?explain=1", admin: true)
        #expect(response.status == 200)
        #expect(response.headers["Cache-Control"] == "no-store")
        return try #require(response.json)
    }
}
