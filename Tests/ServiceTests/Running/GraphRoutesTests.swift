import FoundationEssentials
import Hashing
import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("The graph over HTTP", .timeLimit(.minutes(1)))
struct GraphRoutesTests {
    private static let refresh = [
        "providers.storefront", "providers.storefront.upstream", "providers.storefront.upstream.primary",
        "providers.remote", "providers.remote.upstream", "providers.remote.upstream.upstream",
        "providers.remote.upstream.upstream.upstream",
    ]

    @Test("The operators' port has an index, and every link of it leads somewhere")
    func index() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let index = try await stand.get("/", admin: true)
            let links = index.text.matches(of: /href="([^"]+)"/).map { String($0.output.1) }
            #expect(index.status == 200 && links.contains("/graph.html"))
            for link in links { #expect(try await stand.get(link, admin: true).status == 200, "\(link)") }
        }
    }

    @Test("It has every component once, what each is built on, and what was counted")
    func components() async throws {
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
        }
    }

    @Test("It tells what is served, how fresh, and how much came from memory")
    func serving() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            for _ in 0..<8 { _ = try await stand.get("/products") }
            stand.clock.advance(by: .seconds(4))
            let fresh = try #require(try await stand.graph()["serving"]?.object)
            #expect(fresh["state"]?.string == "fresh")
            #expect(fresh["age_seconds"]?.number?.integer == 4)
            #expect(fresh["fresh_for_seconds"]?.number?.integer == 6)
            #expect(fresh["products"]?.number?.integer == 100)
            #expect(fresh["origin"]?.string == "network")
            #expect(try #require(fresh["hit_ratio"]?.number?.double) > 0.5)
            stand.clock.advance(by: .seconds(7))
            #expect(try await stand.graph()["serving"]?.object?["state"]?.string == "idle")
        }
    }

    @Test("It tells which config is in force: its edition and its hash, which a refused reload leaves as they are")
    func config() async throws {
        try await Stand.with { stand in
            func config() async throws -> JSONObject { try #require(try await stand.graph()["config"]?.object) }
            func hash(_ yaml: String) -> String { SHA256Digest(of: yaml.utf8).hexDigits }
            _ = try await stand.warm()
            let first = try await config()
            #expect(first["edition"]?.number?.integer == 1)
            #expect(first["hash"]?.string == hash(stand.settings.yaml))
            try await stand.reload("serve: nothing", until: "error: reload refused, the old config stays")
            #expect(try await config() == first)
            try await stand.reload { $0.ttl = "11s" }
            let second = try await config()
            #expect(second["edition"]?.number?.integer == 2)
            #expect(second["hash"]?.string == hash(stand.settings.yaml))
        }
    }

    @Test("The last answer's way and the last refresh's way are told by the ids on them")
    func ways() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let graph = try await stand.graph()
            #expect(graph.way("last_answer", "path") == ["providers.storefront"])
            #expect(graph.way("last_refresh", "path").suffix(6) == Self.refresh.dropFirst())
            #expect(graph.way("last_refresh", "failed") == [])
        }
    }

    @Test("With the upstream down it tells who failed, when, why, and who answered instead")
    func failures() async throws {
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
            #expect(detail.hasPrefix("503 from http://") && detail.contains("/products (provider \"remote.upstream"))
            let page = try await stand.get("/graph.html", admin: true).text
            #expect(page.contains("<p class=\"trouble\">upstream failing for 0s (since "))
            #expect(page.contains("<p>\(ServingReport.State.offline.meaning)</p>"))
            #expect(graph.way("last_refresh", "failed").contains("providers.remote"))
            #expect(graph.way("last_refresh", "path").contains("providers.local"))
            let http = try #require(graph.node(Self.refresh[6]))
            #expect(http["failures"]?.number?.integer == 1)
            let failure = try #require(http["last_failure"]?.object)
            #expect(failure["reason"]?.string == "status-503")
            #expect(failure["time"]?.string == stand.clock.now.formatted(.iso8601))
        }
    }

    @Test("A browser gets a page, and so does everybody at /graph.html", arguments: ["/graph", "/graph.html"])
    func page(path: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let accept = HTTPHeader("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
            let headers = path == "/graph" ? [accept] : []
            let response = try await stand.get(path, headers: headers, admin: true)
            #expect(response.status == 200)
            #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
            #expect(response.headers["Cache-Control"] == "no-store")
            #expect(response.text.contains(#"<g class="node answered" id="providers.storefront">"#))
            #expect(response.text.contains(#"<g class="node refreshed" id="providers.remote">"#))
            #expect(response.text.contains(#"<g class="node plain" id="providers.local">"#))
            #expect(response.text.contains("<dt>hit ratio</dt>"))
            let header = try #require(response.text.element("header"))
            #expect(header.contains("<span id=\"state\" class=\"badge fresh\">fresh</span>"))
            #expect(header.contains("id=\"lost\""))
            #expect(response.text.contains("<title>fresh · larder</title>"))
        }
    }

    @Test("The page's policy allows the script and the style that are in it, and nothing from elsewhere")
    func policy() async throws {
        try await Stand.with { stand in
            let page = try await stand.get("/graph.html", admin: true)
            let policy = try #require(page.headers["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; "))
            #expect(policy == GraphPage.policy)
            #expect(page.text.element("script") == GraphPage.script)
            #expect(page.text.element("style") == GraphPage.style)
            #expect(!page.text.contains(" src=") && page.text.ranges(of: " href=").count == 1)
            #expect(!page.text.contains(" style=") && !page.text.contains(" onclick="))
        }
    }

    @Test("What is not known is refused, and the port for products has no graph")
    func refused() async throws {
        try await Stand.with { stand in
            let unknown = try await stand.get("/graph?format=dot", admin: true)
            #expect(unknown.status == 400)
            for path in ["/graph", "/graph.html"] {
                let response = try await stand.get(path)
                #expect(response.status == 404)
            }
        }
    }
}

extension Stand {
    fileprivate func graph() async throws -> JSONObject {
        try #require(try await get("/graph", admin: true).json)
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
    /// What is in the first element with this tag.
    fileprivate func element(_ tag: String) -> String? {
        guard let begin = firstRange(of: "<\(tag)>"), let end = self[begin.upperBound...].firstRange(of: "</\(tag)>")
        else { return nil }
        return String(self[begin.upperBound..<end.lowerBound])
    }
}
