@testable import OperatorsAPI
@testable import Serving
@testable import Prometheus
import FoundationEssentials
import Networking
import ServingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct GraphMetricsTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    private static let answers = "larder_answers_total"
    private static let refreshes = "larder_refresh_total"

    private func answers(_ exposed: ExposedMetrics) -> [String: Double] {
        (exposed[Self.answers]?.samples ?? []).reduce(into: [:]) { answers, sample in
            guard sample.value > 0 else { return }
            answers["\(sample.labels["origin"] ?? "") \(sample.labels["freshness"] ?? "")"] = sample.value
        }
    }

    private func total(_ answers: [String: Double]) -> Double { answers.values.reduce(0, +) }

    @Test func `the counts of answers add up to the requests, into the outage`() async throws {
        #expect(answers(try await service.metrics()) == [:])
        _ = try await service.warm()
        let warm = answers(try await service.metrics())
        for _ in 0..<4 { _ = try await service.get("/products") }
        _ = try await service.get("/products", headers: [HTTPHeader("DNT", "1")])
        for _ in 0..<3 { _ = try await service.get("/products/p-5") }
        let fresh = answers(try await service.metrics())
        #expect(fresh["memory fresh"] == warm["memory fresh", default: 0] + 8)
        _ = try await service.get("/products?explain=1", admin: true)
        _ = try await service.get("/products?limit=x")
        #expect(answers(try await service.metrics()) == fresh)

        service.shop.fail()
        service.clock.advance(by: .seconds(600))
        _ = try await service.get("/products")
        let offline = answers(try await service.metrics())
        #expect(total(offline.filter { $0.key.hasSuffix("offline") }) == 1)
        #expect(total(offline) == total(fresh) + 1)
    }

    @Test func `the counts of upstream requests are those of the upstream`() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            for _ in 0..<3 {
                stand.clock.advance(by: .seconds(3600))
                _ = try await stand.get("/products")
            }
            let exposed = try await stand.metrics()
            let requests = try #require(exposed["larder_upstream_requests_total"])
            let shop = "remote.http"
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

    @Test func `the kept catalogue has an age by the wall clock, a size and a revision`() async throws {
        _ = try await service.warm()
        service.clock.advance(by: .milliseconds(2500))
        let exposed = try await service.metrics()
        let labels = ["provider": "top"]
        #expect(exposed.value("larder_snapshot_age_seconds", labels) == 2.5)
        #expect(
            exposed.value("larder_snapshot_last_success_timestamp_seconds", labels)
                == service.clock.now.timeIntervalSince1970 - 2.5)
        let window = 10.0 + 3600
        #expect(
            exposed.value("larder_snapshot_expiry_timestamp_seconds", labels)
                == service.clock.now.timeIntervalSince1970 - 2.5 + window)
        #expect(exposed.value("larder_snapshot_products", labels) == 100)
        let revisions = try #require(exposed["larder_snapshot_info"]).values(of: "revision")
        #expect(revisions.count == 1)
    }

    @Test func `response memory is counted by kind`() async throws {
        _ = try await service.warm()
        _ = try await service.get("/products?sort=name&limit=10")
        let body = try await service.get("/products").body.count
        let exposed = try await service.metrics()
        func bytes(_ kind: String) throws -> Double {
            try #require(exposed.value("larder_memory_bytes", ["kind": kind]))
        }
        #expect(try bytes("encodings") == Double(body))
        #expect(try (1..<Double(body)).contains(bytes("catalogues")))
        #expect(try bytes("answers") > 0)
        #expect(try bytes("indexes") > 0)
    }

    @Test func `without a first catalogue, or with an expired one, no products are served`() async throws {
        let labels = ["provider": "top"]
        let empty = try await service.metrics()
        #expect(empty.value("larder_snapshot_products", labels) == 0)
        #expect(empty["larder_snapshot_age_seconds"] == nil)
        _ = try await service.warm()
        service.shop.fail()
        service.clock.advance(by: .seconds(3611))
        _ = try await service.get("/products")
        let late = try await service.metrics()
        #expect(late.value("larder_snapshot_products", labels) == 0)
        let age = try #require(late.value("larder_snapshot_age_seconds", labels))
        #expect(abs(age - 3611) < 0.001)
    }

    @Test func `a graph without memory reports the last catalogue it served`() async throws {
        let service = try InMemoryService("top: { type: scripted }")
        #expect(try await service.get("/products").status == 200)
        let exposed = try await service.metrics()
        #expect(exposed.value("larder_snapshot_products", ["provider": "top"]) == 100)
        #expect(exposed.value(Self.answers, ["origin": "network", "freshness": "fresh"]) == 1)
    }

    @Test func `a memory nobody has asked does not count as empty`() async throws {
        let service = try InMemoryService(
            """
            kept: { type: memory, upstream: shop }
            top: { type: audience, header: X-Tier, cases: { gold: kept }, otherwise: shop }
            """)
        #expect(try await service.get("/products").status == 200)
        let exposed = try await service.metrics()
        #expect(exposed.value("larder_snapshot_products", ["provider": "top"]) == 100)
        #expect(exposed.value("larder_snapshot_products", ["provider": "kept"]) == 0)
        #expect(exposed["larder_snapshot_age_seconds"] == nil)
    }

    @Test func `counters survive a reload, series of removed components do not`() async throws {
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

    @Test func `secrets are in no label`() async throws {
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
            #expect(!(try await stand.get("/metrics", admin: true)).text.contains("s3cret"))
        }
    }

    @Test func `ready counts the catalogue alone, even while the service stops`() async throws {
        func ready() async throws -> Double? { try await service.metrics().value("larder_ready") }
        #expect(try await ready() == 0)
        _ = try await service.warm()
        #expect(try await ready() == 1)
        service.shop.fail()
        service.clock.advance(by: .seconds(600))
        _ = try await service.get("/products")
        #expect(try await ready() == 1)
        service.readiness.startDraining()
        #expect(try await service.get("/readyz").status == 503)
        #expect(try await ready() == 1)
        service.clock.advance(by: .seconds(3611))
        _ = try await service.get("/products")
        #expect(try await ready() == 0)
    }

    @Test func `counts of analytics survive a reload to another file`() async throws {
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
