@testable import OperatorsAPI
import FoundationEssentials
import JSON
import Networking
internal import Products
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct GraphRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    private static let refresh = [
        "providers.storefront", "providers.storefront.upstream", "providers.storefront.upstream.primary",
        "providers.remote", "providers.remote.upstream", "providers.remote.upstream.upstream",
        "providers.remote.upstream.upstream.upstream",
    ]

    @Test func `the graph has every component once, with edges, state and the last paths`() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let response = try await stand.get("/graph", admin: true)
            #expect(response.headers["Content-Type"] == "application/json")
            #expect(response.headers["Cache-Control"] == "no-store")
            let graph = try #require(response.json)
            #expect(graph["root"]?.string == "providers.storefront")
            let ids = try #require(graph["nodes"]?.array).map { $0.object?["id"]?.string ?? "" }
            #expect(ids.first == "providers.storefront" && Set(ids).count == ids.count)
            #expect(Set(ids).isSuperset(of: Self.refresh + ["providers.local", "stores.disk", "monitors.upstream"]))
            let edges = try #require(graph["edges"]?.array).compactMap(\.object)
            let toLocal = edges.filter { $0["to"]?.string == "providers.local" }.compactMap { $0["role"]?.string }
            #expect(toLocal.sorted() == ["local", "secondary"])
            let root = try #require(graph.node("providers.storefront"))
            #expect(root["state"]?.object?["products"]?.string == "100")
            #expect(root["settings"]?.object?["ttl"]?.string == "10s")
            #expect(root["label"]?.string == "storefront")
            #expect(graph.node("monitors.upstream")?["calls"] == nil)

            #expect(graph.way("last_answer", "path") == ["providers.storefront"])
            #expect(graph.way("last_refresh", "path").suffix(6) == Self.refresh.dropFirst())
            #expect(graph.way("last_refresh", "failed") == [])

            let page = try await stand.get("/graph.html", admin: true).text
            #expect(page.contains(#"<g class="node answered" id="providers.storefront">"#))
            #expect(page.contains(#"<g class="node refreshed" id="providers.remote">"#))
            #expect(page.contains(#"<g class="node plain" id="providers.local">"#))
        }
    }

    @Test func `serving has state, freshness and hit ratio`() async throws {
        _ = try await service.warm()
        for _ in 0..<8 { _ = try await service.get("/products") }
        service.clock.advance(by: .seconds(4))
        let fresh = try #require(try await service.graph()["serving"]?.object)
        #expect(fresh["state"]?.string == "fresh")
        #expect(fresh["age_seconds"]?.number?.integer == 4)
        #expect(fresh["fresh_for_seconds"]?.number?.integer == 6)
        #expect(fresh["products"]?.number?.integer == 100)
        #expect(fresh["origin"]?.string == "network")
        #expect(try #require(fresh["hit_ratio"]?.number?.double) > 0.5)
        service.clock.advance(by: .seconds(7))
        #expect(try await service.graph()["serving"]?.object?["state"]?.string == "idle")
    }

    @Test func `a failing upstream is named with time, reason and the provider that answered instead`() async throws {
        try await Stand.with({ $0.isMonitored = false }) { stand in
            _ = try await stand.warm()
            try await stand.shop.fail("status=503")
            stand.clock.advance(by: .seconds(40))
            _ = try await stand.get("/products")
            let graph = try await stand.graph()
            let serving = try #require(graph["serving"]?.object)
            #expect(serving["state"]?.string == "offline")
            let failing = try #require(serving["failing_upstreams"]?.array?.first?.object)
            #expect(failing["provider"]?.string == "storefront")
            #expect(failing["since"]?.string == stand.clock.now.formatted(.iso8601))
            let detail = try #require(failing["detail"]?.string)
            #expect(detail.hasPrefix("503 from http://") && detail.contains("/products (provider \"remote.http"))
            let page = try await stand.get("/graph.html", admin: true).text
            #expect(page.contains("<p class=\"trouble\">upstream failing for 0s (since "))
            #expect(page.contains("<p>\(ServingReport.State.kept(.offline).meaning)</p>"))
            #expect(graph.way("last_refresh", "failed").contains("providers.remote"))
            #expect(graph.way("last_refresh", "path").contains("providers.local"))
            let http = try #require(graph.node(Self.refresh[6]))
            #expect(http["failures"]?.number?.integer == 1)
            let failure = try #require(http["last_failure"]?.object)
            #expect(failure["reason"]?.string == "status-503")
            #expect(failure["time"]?.string == stand.clock.now.formatted(.iso8601))
        }
    }

    @Test(arguments: [("/graph", "text/html,application/xhtml+xml,*/*;q=0.8"), ("/graph.html", "*/*")])
    func `browsers get a page that runs nothing but its own script`(path: String, accept: String) async throws {
        _ = try await service.warm()
        let page = try await service.get(path, headers: [HTTPHeader("Accept", accept)], admin: true)
        #expect(page.status == 200)
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.headers["Cache-Control"] == "no-store")
        #expect(page.text.contains("<dt>hit ratio</dt>"))
        #expect(page.text.contains("<title>fresh · larder</title>"))
        let header = try #require(page.text.element("header"))
        #expect(header.contains("<span id=\"state\" class=\"badge fresh\">fresh</span>"))
        #expect(header.contains("id=\"lost\""))
        let policy = try #require(page.headers["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(policy == GraphHTML.policy)
        #expect(page.text.element("script") == GraphHTML.script)
        #expect(page.text.element("style") == GraphHTML.style)
        #expect(!page.text.contains(" src=") && page.text.ranges(of: " href=").count == 2)
        #expect(!page.text.contains(" style=") && !page.text.contains(" onclick="))
    }

    @Test func `unknown parameters are refused, and the products' port has no graph`() async throws {
        let unknown = try await service.get("/graph?format=dot", admin: true)
        #expect(unknown.status == 400)
        for path in ["/graph", "/graph.html"] {
            let response = try await service.get(path)
            #expect(response.status == 404)
        }
    }
}

extension JSONObject {
    fileprivate func node(_ id: String) -> JSONObject? {
        self["nodes"]?.array?.compactMap(\.object).first { $0["id"]?.string == id }
    }

    fileprivate func way(_ name: String, _ part: String) -> [String] {
        self[name]?.object?[part]?.array?.compactMap(\.string) ?? []
    }
}

extension String {
    /// The content of the first element with this tag.
    fileprivate func element(_ tag: String) -> String? {
        guard let begin = firstRange(of: "<\(tag)>"), let end = self[begin.upperBound...].firstRange(of: "</\(tag)>")
        else { return nil }
        return String(self[begin.upperBound..<end.lowerBound])
    }
}
