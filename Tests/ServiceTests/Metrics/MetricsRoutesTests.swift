@testable import Prometheus
import HTTPServer
import Networking
import OperatorsAPI
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct MetricsRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService(http: "cors: { allow_origins: [https://shop.example] }") }

    private static let requests = "larder_http_requests_total"
    private static let duration = "larder_http_request_duration_seconds"

    /// A graph with every component that exposes metrics.
    private static func everyKind(_ stand: Stand) -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        stores:
          disk: { type: json_file, directory: "\(stand.directory("store"))" }
          shared: { type: redis, url: "redis://127.0.0.1:1/0", name: catalogue }
        analytics:
          events: { type: file, path: "\(stand.directory("events.jsonl"))" }
          google: { type: google_analytics, measurement_id: G-TEST1, api_secret: s, endpoint: "http://127.0.0.1:1/" }
          all: { type: tee, sinks: [events, google] }
        monitors: { door: { type: always } }
        providers:
          shop: { type: http, timeout: 20s, request: { base_url: "http://\(stand.shop.address)", path: /products } }
          careful: { type: circuit_breaker, upstream: { type: validated, baseline: disk, upstream: shop } }
          fleet: { type: caching, store: shared, upstream: careful }
          remote: { type: analytics, sink: all, event: asked, upstream: fleet }
          kept: { type: caching, store: disk, upstream: remote }
          either: { type: reachability, monitor: door, remote: kept, local: { type: stored, store: disk } }
          storefront: { type: memory, ttl: 10s, hold_off: 1ms, upstream: either }
        serve: storefront
        """
    }

    @Test func `names and labels are those of the alerts`() async throws {
        try await Stand.with { stand in
            try await stand.reload(Self.everyKind(stand), until: "notice: reloaded")
            // The graph before may have fetched already: the kept catalogue has to be due before this one fetches.
            stand.clock.advance(by: .seconds(60))
            try await eventually {
                #expect(try await stand.get("/products").status == 200)
                return try await stand.metrics()
                    .value("larder_analytics_events_total", ["sink": "events", "event": "asked"]) != nil
            }
            try await stand.shop.fail("empty")
            let failed = ["outcome": "failed", "provider": "storefront"]
            // A refresh that is under way since before still succeeds.
            try await eventually {
                stand.clock.advance(by: .seconds(100))
                #expect(try await stand.get("/products").status == 200)
                return try await stand.metrics().value("larder_refresh_total", failed) ?? 0 >= 1
            }
            let exposed = try await stand.metrics()
            let names = exposed.families.map(\.name)
            // A storage that has never answered has told no time.
            let known = Set(ExposedNames.labels.keys).subtracting(["larder_shared_clock_difference_seconds"])
            #expect(Set(names) == known)
            for (name, family) in zip(names, exposed.families) {
                #expect(family.help != "Recorded by a library that the service uses.", "\(name) is not among the known")
                for sample in family.samples {
                    #expect(
                        Set(sample.labels.keys).subtracting(["le"]) == ExposedNames.labels[name], "\(sample.series)")
                }
            }
        }
    }

    @Test func `every known metric is named for alerts, but for those of parts that the graph of this test lacks`() {
        let absent: Set = [
            "larder_api_key_requests_total", "larder_expanded_members_total", "larder_hooks_total",
            "larder_log_dropped_total",
            "larder_telemetry_dropped_total", "larder_telemetry_exports_total", "larder_telemetry_spans_total",
            "larder_telemetry_log_records_total",
            "larder_pinned_since_timestamp_seconds", "larder_tls_certificate_not_after_timestamp_seconds",
        ]
        #expect(Set(MetricDescription.known.map(\.seriesName)).subtracting(ExposedNames.labels.keys) == absent)
    }

    @Test func `the text form is for every client, and is never cached`() async throws {
        let plain = try await service.get("/metrics", admin: true)
        #expect(plain.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(plain.headers["Cache-Control"] == "no-store")
        let prometheus = HTTPHeader(
            "Accept",
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2")
        let scraped = try await service.get("/metrics", headers: [prometheus], admin: true)
        #expect(scraped.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(try await service.get("/metrics?name=x", admin: true).status == 400)
        #expect(try await service.get("/metrics").status == 404)
    }

    @Test func `requests are counted by route, method and status, and unmatched ones under none`() async throws {
        let first = try await service.get("/products")
        let tag = HTTPHeader("If-None-Match", try #require(first.headers["ETag"]))
        for _ in 0..<4 { _ = try await service.get("/products", headers: [tag]) }
        for _ in 0..<2 { _ = try await service.get("/products", method: "HEAD") }
        _ = try await service.get("/products?limit=x")
        _ = try await service.get("/products/p-5")
        for id in 0..<3 { _ = try await service.get("/products/none-\(id)") }
        for method in ["DELETE", "OPTIONS"] { _ = try await service.get("/products", method: method) }
        for target in ["/nowhere", "/products/%zz", "/livez"] { _ = try await service.get(target) }
        let preflight = [
            HTTPHeader("Origin", "https://shop.example"), HTTPHeader("Access-Control-Request-Method", "GET"),
        ]
        #expect(try await service.get("/products", method: "OPTIONS", headers: preflight).status == 204)
        let exposed = try await service.metrics()
        let expected: [(String, String, String, Double)] = [
            ("/products", "GET", "200", 1), ("/products", "GET", "304", 4), ("/products", "HEAD", "200", 2),
            ("/products", "GET", "400", 1), ("/products/{id}", "GET", "200", 1),
            ("/products/{id}", "GET", "404", 3), ("/products", "DELETE", "405", 1),
            ("/products", "OPTIONS", "204", 1), ("unmatched", "GET", "404", 1), ("unmatched", "GET", "400", 1),
            ("/livez", "GET", "200", 1), ("unmatched", "OPTIONS", "204", 1),
        ]
        for (route, method, status, count) in expected {
            let labels = ["route": route, "method": method, "status": status]
            #expect(exposed.value(Self.requests, labels) == count, "\(labels)")
        }
        #expect(exposed[Self.requests]?.samples.count == expected.count)
        let labels = ["route": "/products", "method": "GET"]
        #expect(exposed.value("\(Self.duration)_count", labels) == 6)
        #expect(try #require(exposed.value("\(Self.duration)_sum", labels)) > 0)
    }

    @Test func `a disconnected client is counted once`() async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with {
            $0.upstream = upstream.address
            $0.isMonitored = false
            $0.staleWhileRevalidate = "0s"
        } _: { stand in
            _ = try await stand.warm()
            let labels = ["route": "/products", "method": "GET", "status": "200"]
            let warm = try #require(try await stand.metrics().value(Self.requests, labels))
            let crowd = try await ClientCrowd(count: 2, port: try stand.port())
            defer { crowd.leave() }
            await crowd.send("/products", by: 0)
            try await eventually { try await stand.metrics().value(Self.requests, labels) == warm + 1 }
            crowd.reset(0)

            upstream.gate.close()
            stand.clock.advance(by: .milliseconds(10_001))
            let asked = upstream.requests
            await crowd.send("/products", by: 1)
            await upstream.wait(forRequests: asked + 1)
            crowd.reset(1)
            upstream.gate.open()
            try await eventually { try await stand.metrics().value(Self.requests, labels) == warm + 2 }
            _ = try await stand.get("/products")
            let exposed = try await stand.metrics()
            #expect(exposed.value(Self.requests, labels) == warm + 3)
            #expect(exposed.value("\(Self.duration)_count", ["route": "/products", "method": "GET"]) == warm + 3)
        }
    }

    @Test func `made-up paths and methods add few labels`() async throws {
        try await Stand.with { stand in
            var generator = SeededGenerator(seed: 6)
            let methods =
                HTTPMethod.allCases.filter { $0 != .other }.map(\.description) + ["BREW", "PURGE", "get", "LOCK"]
            for number in 0..<400 {
                let path = "/\(generator.next())/\(number)"
                let method = methods[number % methods.count]
                _ = try? await stand.get(path, method: method)
                _ = try? await stand.get("/products\(path)", method: method)
                _ = try? await stand.get("/products/\(number)", method: method)
            }
            let exposed = try await stand.metrics()
            let requests = try #require(exposed[Self.requests])
            #expect(requests.values(of: "route").subtracting(["unmatched", "/products/{id}"]).isEmpty)
            #expect(requests.values(of: "method") == Set(methods.prefix(8) + ["other"]))
            #expect(requests.samples.count <= 40)
            let counted = requests.samples.reduce(0) { $0 + $1.value }
            let rejected = try #require(exposed["larder_http_rejected_total"]).samples.reduce(0) { $0 + $1.value }
            #expect(counted + rejected == 1200)
        }
    }

    @Test func `connections and rejections are those of the products' port`() async throws {
        try await Stand.with { stand in
            let crowd = try await ClientCrowd(count: 3, port: try stand.port())
            defer { crowd.leave() }
            try await eventually { try await stand.metrics().value("larder_http_connections") == 3 }
            let long = String(repeating: "a", count: 20_000)
            _ = try await stand.get("/products?q=\(long)")
            _ = try await stand.get("/graph?q=\(long)", admin: true)
            let exposed = try await stand.metrics()
            #expect(exposed.value("larder_http_rejected_total", ["reason": "target_size"]) == 1)
            #expect(exposed["larder_http_rejected_total"]?.samples.count == HTTPRefusal.allCases.count)
        }
    }

    @Test(arguments: [true, false])
    func `requests are counted by their way`(usesFastPath: Bool) async throws {
        try await Stand.with {
            $0.http = "listen: 127.0.0.1:0, fast_path: \(usesFastPath)"
        } _: { stand in
            for _ in 0..<4 { #expect(try await stand.get("/products").status == 200) }
            let exposed = try await stand.metrics()
            let counts = ["fast_path", "evhttp"].map { exposed.value("larder_http_handled_total", ["way": $0]) }
            // The first request asks the graph, later ones are answered from its lease.
            #expect(counts == (usesFastPath ? [3, 1] : [0, 4]))
        }
    }
}
