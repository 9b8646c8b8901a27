import FileSystem
import FoundationEssentials
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Metrics of the graph", .timeLimit(.minutes(1)))
struct GraphMetricsTests {
    private static let answers = "larder_answers_total"
    private static let refreshes = "larder_refresh_total"

    private func answers(_ exposed: ExposedMetrics) -> [String: Double] {
        (exposed[Self.answers]?.samples ?? []).reduce(into: [:]) { answers, sample in
            guard sample.value > 0 else { return }
            answers["\(sample.labels["origin"] ?? "") \(sample.labels["freshness"] ?? "")"] = sample.value
        }
    }

    private func total(_ answers: [String: Double]) -> Double { answers.values.reduce(0, +) }

    @Test("What clients were answered from adds up to their requests, from the first one on to the outage")
    func answersCounted() async throws {
        try await Stand.with { stand in
            #expect(answers(try await stand.metrics()) == [:])
            _ = try await stand.warm()
            let warm = answers(try await stand.metrics())
            for _ in 0..<4 { _ = try await stand.get("/products") }
            _ = try await stand.get("/products", headers: [HTTPHeader("DNT", "1")])
            for _ in 0..<3 { _ = try await stand.get("/products/p-5") }
            let fresh = answers(try await stand.metrics())
            #expect(fresh["memory fresh"] == warm["memory fresh", default: 0] + 8)
            _ = try await stand.get("/products?explain=1", admin: true)
            _ = try await stand.get("/products?limit=x")
            #expect(answers(try await stand.metrics()) == fresh)

            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(600))
            _ = try await stand.get("/products")
            let offline = answers(try await stand.metrics())
            #expect(total(offline.filter { $0.key.hasSuffix("offline") }) == 1)
            #expect(total(offline) == total(fresh) + 1)
        }
    }

    @Test("What the upstream was asked is what it counted itself")
    func upstream() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            for _ in 0..<3 {
                stand.clock.advance(by: .seconds(3600))
                _ = try await stand.get("/products")
            }
            let exposed = try await stand.metrics()
            let requests = try #require(exposed["larder_upstream_requests_total"])
            let shop = "remote.upstream.upstream.upstream"
            #expect(requests.values(of: "provider") == [shop])
            let total = requests.samples.reduce(0) { $0 + $1.value }
            let asked = try await stand.shop.requests()
            #expect(Int(total) == asked)
            let count = "larder_upstream_request_duration_seconds_count"
            #expect(exposed.value(count, ["provider": shop]) == total)
            let refreshed = try #require(exposed[Self.refreshes]).samples.reduce(0) { $0 + $1.value }
            #expect(refreshed >= 4)
        }
    }

    @Test("The catalogue that is kept: its age by the clock of this moment, its size, its revision")
    func snapshot() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            stand.clock.advance(by: .milliseconds(2500))
            let exposed = try await stand.metrics()
            let labels = ["provider": "storefront"]
            #expect(exposed.value("larder_snapshot_age_seconds", labels) == 2.5)
            #expect(
                exposed.value("larder_snapshot_last_success_timestamp_seconds", labels)
                    == stand.clock.now.timeIntervalSince1970 - 2.5)
            let window = 10.0 + 3600
            #expect(
                exposed.value("larder_snapshot_expiry_timestamp_seconds", labels)
                    == stand.clock.now.timeIntervalSince1970 - 2.5 + window)
            #expect(exposed.value("larder_snapshot_products", labels) == 100)
            let revisions = try #require(exposed["larder_snapshot_info"]).values(of: "revision")
            #expect(revisions.count == 1)
        }
    }

    @Test("What is held to answer from, by kind: nothing of what was replaced")
    func memory() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            _ = try await stand.get("/products?sort=name&limit=10")
            let body = try await stand.get("/products").body.count
            let exposed = try await stand.metrics()
            func bytes(_ kind: String) throws -> Double {
                try #require(exposed.value("larder_memory_bytes", ["kind": kind]))
            }
            #expect(try bytes("encodings") == Double(body))
            #expect(try (1..<Double(body)).contains(bytes("catalogues")))
            #expect(try bytes("answers") > 0)
            #expect(try bytes("indexes") > 0)
        }
    }

    @Test("Before the first catalogue, and when the last one is too old, there are no products to serve")
    func nothing() async throws {
        try await Stand.with {
            $0.upstream = "127.0.0.1:1"
        } _: { stand in
            let labels = ["provider": "storefront"]
            let exposed = try await stand.metrics()
            #expect(exposed.value("larder_snapshot_products", labels) == 0)
            #expect(exposed["larder_snapshot_age_seconds"] == nil)
        }
        try await Stand.with { stand in
            let labels = ["provider": "storefront"]
            _ = try await stand.warm()
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(3611))
            _ = try await stand.get("/products")
            let exposed = try await stand.metrics()
            #expect(exposed.value("larder_snapshot_products", labels) == 0)
            let age = try #require(exposed.value("larder_snapshot_age_seconds", labels))
            #expect(age >= 3611)
        }
    }

    @Test("A graph in which nobody keeps a catalogue tells of the last one that was served")
    func unkept() async throws {
        try await Stand.with { stand in
            let yaml = """
                http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
                admin: { listen: 127.0.0.1:0 }
                providers: { shop: { type: http, request: { base_url: "http://\(stand.shop.address)", path: /products } } }
                serve: shop
                """
            try await stand.reload(yaml, until: "notice: reloaded")
            #expect(try await stand.get("/products").status == 200)
            let exposed = try await stand.metrics()
            #expect(exposed.value("larder_snapshot_products", ["provider": "shop"]) == 100)
            #expect(exposed.value(Self.answers, ["origin": "network", "freshness": "fresh"]) == 1)
        }
    }

    @Test("A memory that nobody asked does not mean that there is nothing to serve")
    func unasked() async throws {
        try await Stand.with { stand in
            let yaml = """
                http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
                admin: { listen: 127.0.0.1:0 }
                providers:
                  shop: { type: http, request: { base_url: "http://\(stand.shop.address)", path: /products } }
                  kept: { type: memory, upstream: shop }
                  storefront: { type: audience, header: X-Tier, cases: { gold: kept }, otherwise: shop }
                serve: storefront
                """
            try await stand.reload(yaml, until: "notice: reloaded")
            #expect(try await stand.get("/products").status == 200)
            let exposed = try await stand.metrics()
            #expect(exposed.value("larder_snapshot_products", ["provider": "storefront"]) == 100)
            #expect(exposed.value("larder_snapshot_products", ["provider": "kept"]) == 0)
            #expect(exposed["larder_snapshot_age_seconds"] == nil)
        }
    }

    @Test("Over a reload counters go on, and what tells of components that are gone goes")
    func reloaded() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            let before = try await stand.metrics()
            let settings = ServiceSettings(upstream: stand.shop.address, data: stand.directory.path).yaml
                .replacing("storefront", with: "window").replacing("disk", with: "cellar")
                .replacing("monitor: upstream", with: "monitor: door").replacing("  upstream: {", with: "  door: {")
            try await stand.reload(settings, until: "notice: reloaded")
            _ = try await stand.get("/products")
            let after = try await stand.metrics()
            #expect(after["larder_snapshot_products"]?.values(of: "provider") == ["window"])
            #expect(after["larder_store_generations"]?.values(of: "store") == ["cellar"])
            #expect(after["larder_reachable"]?.values(of: "monitor") == ["door"])
            for name in ["larder_http_requests_total", Self.answers, Self.refreshes, "larder_upstream_requests_total"] {
                for sample in try #require(before[name]).samples {
                    let value = try #require(after.value(name, sample.labels), "\(sample.series)")
                    #expect(value >= sample.value, "\(sample.series)")
                }
            }
        }
    }

    @Test("A store that cannot be written is counted, and the catalogue is served")
    func storeFails() async throws {
        let directory = try TemporaryDirectory()
        try Files.replace(directory("file"), with: [], temporary: directory("temporary"))
        try await Stand.with {
            $0.data = directory("file")
        } _: { stand in
            #expect(try await stand.get("/products").status == 200)
            await stand.log.wait(for: "warning: products are served but cannot be saved")
            let failures = try #require(try await stand.metrics()["larder_store_failures_total"])
            #expect(failures.values(of: "store") == ["disk"])
            #expect(failures.samples.contains { $0.value > 0 })
        }
    }

    @Test("What authenticates is in no label")
    func secrets() async throws {
        try await Stand.with { stand in
            let yaml = """
                http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
                admin: { listen: 127.0.0.1:0 }
                providers:
                  shop:
                    type: http
                    request: { base_url: "http://\(stand.shop.address)", path: /products, parameters: { key: s3cret } }
                    auth: { type: bearer, token: s3cret }
                serve: shop
                """
            try await stand.reload(yaml, until: "notice: reloaded")
            _ = try await stand.get("/products")
            for format in MetricsFormat.allCases {
                let accept = HTTPHeader("Accept", format.contentType)
                #expect(!(try await stand.get("/metrics", headers: [accept], admin: true)).text.contains("s3cret"))
            }
        }
    }

    @Test("Ready is who has a catalogue to serve, whatever becomes of the upstream, and also while stopping")
    func ready() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            #expect(try await stand.metrics().value("larder_ready") == 1)
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(600))
            _ = try await stand.get("/products")
            #expect(try await stand.metrics().value("larder_ready") == 1)
            try stand.subjects.readiness.startDraining()
            #expect(try await stand.get("/readyz").status == 503)
            #expect(try await stand.metrics().value("larder_ready") == 1)
            stand.clock.advance(by: .seconds(3611))
            _ = try await stand.get("/products")
            #expect(try await stand.metrics().value("larder_ready") == 0)
        }
        try await Stand.with {
            $0.upstream = "127.0.0.1:1"
        } _: { stand in
            let exposed = try await stand.metrics()
            #expect(exposed.value("larder_ready") == 0)
        }
    }

    @Test("What was counted of analytics goes on over a reload, also where the sink writes elsewhere from then on")
    func analyticsReloaded() async throws {
        try await Stand.with { stand in
            let (name, labels) = (
                "larder_analytics_events_total", ["sink": "events", "event": "products_network_hit"]
            )
            _ = try await stand.warm()
            try await eventually { try await stand.metrics().value(name, labels) ?? 0 >= 1 }
            let before = try #require(try await stand.metrics().value(name, labels))
            try await stand.reload { $0.events = "elsewhere.jsonl" }
            let dropped = ["sink": "events", "reason": "queue_full"]
            let after = try await stand.metrics()
            #expect(try #require(after.value(name, labels)) >= before)
            #expect(after.value("larder_analytics_dropped_total", dropped) == 0)
            stand.clock.advance(by: .seconds(15))
            _ = try await stand.get("/products")
            try await eventually { try await stand.metrics().value(name, labels) ?? 0 > before }
        }
    }
}
