import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct TelemetryTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let catalogue =
        #"[{"type":"physical","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"}}]"#

    private static func section(_ collector: CollectorStandIn, _ more: String) -> String {
        "telemetry: { otlp: { endpoint: \"\(collector.url)\", \(more) } }"
    }

    /// Runs a test with a service in front of an upstream that keeps the heads of its requests, and stops it before the
    /// spans are looked at.
    private func with(
        _ otlp: String, serve: String = "storefront", http: String = "",
        _ body: (Stand, CollectorStandIn, ScriptedUpstream) async throws -> Void
    ) async throws {
        let upstream = ScriptedUpstream(answering { $0.respond(body: Array(Self.catalogue.utf8)) })
        defer { upstream.stop() }
        let collector = CollectorStandIn()
        defer { collector.stop() }
        try await Stand.with({ settings in
            settings.upstream = "127.0.0.1:\(upstream.port)"
            settings.isMonitored = false
            settings.serve = serve
            settings.http += http
            settings.sections = Self.section(collector, otlp)
        }) { stand in
            try await eventually { try await stand.get("/readyz").status == 200 }
            try await body(stand, collector, upstream)
        }
    }

    private func child(of span: JSONObject, in spans: [JSONObject], named name: String) throws -> JSONObject {
        try #require(spans.first { $0["parentSpanId"] == span["spanId"] && $0["name"]?.string == name }, "\(name)")
    }

    @Test func `a request is the parent of the nodes that it asks, down to the exchange, which the upstream gets`()
        async throws
    {
        let trusted = ", trusted_proxies: [127.0.0.1], client_address: x_forwarded_for"
        try await with("traces: { sample: 0 }, metrics: false", serve: "remote", http: trusted) {
            stand, collector, upstream in
            _ = try await stand.get(
                "/products",
                headers: [
                    HTTPHeader("traceparent", "00-\(Self.trace)-b7ad6b7169203331-01"), HTTPHeader("tracestate", "a=1"),
                ])
            try await stand.stop()
            let spans = collector.spans
            #expect(spans.allSatisfy { $0["traceId"]?.string == Self.trace })
            let root = try #require(spans.first { $0["parentSpanId"]?.string == "b7ad6b7169203331" })
            #expect(root["name"]?.string == "GET /products" && root["kind"]?.number?.integer == 2)
            var span = root
            for name in ["caching", "validated", "analytics", "http"] {
                span = try child(of: span, in: spans, named: name)
            }
            #expect(span.attributes["larder.node"]?.hasSuffix("upstream") == true, "\(span.attributes)")
            let exchange = try child(of: span, in: spans, named: "GET")
            #expect(exchange.attributes["http.response.status_code"] == "200")
            #expect(exchange.attributes["server.address"] == "127.0.0.1")
            #expect(spans.count == 6)
            let parent = "traceparent: 00-\(Self.trace)-\(exchange["spanId"]?.string ?? "")-01\r\n"
            let head = upstream.requestHeads.last ?? ""
            #expect(head.contains(parent) && head.contains("tracestate: a=1\r\n"))
        }
    }

    @Test func `a caller that is not trusted decides neither here nor at the upstream`() async throws {
        try await with("traces: { sample: 0 }, metrics: false", serve: "remote") { stand, collector, upstream in
            _ = try await stand.get(
                "/products", headers: [HTTPHeader("traceparent", "00-\(Self.trace)-b7ad6b7169203331-01")])
            try await stand.stop()
            #expect(collector.spans.isEmpty)
            let head = try #require(upstream.requestHeads.last)
            #expect(head.firstMatch(of: /traceparent: 00-(\w+)-\w+-00\r\n/)?.1 == Self.trace[...], "\(head)")
        }
    }

    @Test func `every line of the log is exported, and a request's line names its span`() async throws {
        try await with("traces: { sample: 1 }, metrics: false, logs: true", http: ", access_log: all") {
            stand, collector, upstream in
            for _ in 0..<3 { _ = try await stand.get("/products") }
            upstream.stop()
            stand.clock.advance(by: .seconds(11))
            _ = try await stand.get("/products")
            await stand.log.wait(for: "warning: upstream fails, serving the last good catalogue")
            try await stand.stop()
            let lines = collector.logs.filter { $0["severityNumber"]?.number?.integer ?? 0 >= 9 }
            let texts = lines.map {
                "\($0["severityText"]?.string ?? ""): \($0["body"]?.object?["stringValue"]?.string ?? "")"
            }
            #expect(texts.sorted() == stand.log.seen.sorted())
            #expect(stand.log.seen.contains("notice: serving") && stand.log.seen.last == "notice: stopped")
            for line in lines where line.attributes["path"] == "/products" {
                let span = try #require(collector.spans.first { $0["spanId"] == line["spanId"] })
                #expect(span["traceId"] == line["traceId"] && span["name"]?.string == "GET /products")
            }
        }
    }

    @Test func `a refresh that no request waits for is a trace of its own, and a cached answer is one span`()
        async throws
    {
        try await with("traces: { sample: 1 }, metrics: false") { stand, collector, _ in
            for _ in 0..<3 { _ = try await stand.get("/products") }
            try await stand.stop()
            let requests = collector.spans.filter { $0["kind"]?.number?.integer == 2 }
            let refresh = try #require(collector.spans.first { $0["name"]?.string == "refresh" })
            #expect(requests.count == 3 && Set(requests.compactMap { $0["traceId"]?.string }).count == 3)
            #expect(requests.allSatisfy { $0["parentSpanId"] == nil })
            #expect(refresh["parentSpanId"] == nil)
            _ = try child(of: refresh, in: collector.spans, named: "fallback")
            #expect(collector.spans.filter { $0["traceId"] == refresh["traceId"] }.count == 8)
        }
    }

    @Test func `failures are sent although nothing is sampled`() async throws {
        try await with("traces: { sample: 0 }, metrics: false", serve: "remote") { stand, collector, upstream in
            _ = try await stand.get("/products")
            _ = try await stand.get("/nowhere")
            upstream.stop()
            #expect(try await stand.get("/products").status == 503)
            try await stand.stop()
            let failed = collector.spans.filter { $0["kind"]?.number?.integer == 2 }
            #expect(failed.map { $0.attributes["http.response.status_code"] } == ["503"])
            #expect(failed.allSatisfy { $0["status"]?.object?["code"]?.number?.integer == 2 })
        }
    }

    @Test func `a reload begins, changes and ends the export`() async throws {
        let other = CollectorStandIn()
        defer { other.stop() }
        try await with("traces: { sample: 1 }, metrics: false") { stand, collector, _ in
            _ = try await stand.get("/products")
            try await stand.reload { $0.sections = "" }
            _ = try await stand.get("/products/1")
            try await stand.reload { $0.sections = Self.section(other, "traces: { sample: 1 }, resolve: ipv4") }
            _ = try await stand.get("/products")
            try await stand.stop()
            #expect(collector.spans.filter { $0.attributes["url.path"] == "/products/1" }.isEmpty)
            #expect(other.spans.compactMap { $0.attributes["url.path"] } == ["/products"])
            #expect(!other.metrics.isEmpty)
        }
    }

    @Test func `metrics are those of the scrape`() async throws {
        try await with("metrics: true") { stand, collector, _ in
            _ = try await stand.get("/products")
            let scraped = try await stand.metrics()
            try await stand.stop()
            let last = try #require(collector.requests.last { $0.signal == "metrics" })
            let exposed = scraped.families.filter { !$0.samples.isEmpty }.map(\.name)
            #expect(Set(exposed).isSubset(of: last.items.compactMap { $0["name"]?.string }))
            let answers = try #require(last.items.first { $0["name"]?.string == "larder_answers_total" })
            let points = answers["sum"]?.object?["dataPoints"]?.array?.compactMap(\.object) ?? []
            for point in points {
                #expect(
                    scraped.value("larder_answers_total", point.attributes)
                        == point["asInt"]?.string.flatMap { Double($0) })
            }
            #expect(!points.isEmpty)
        }
    }

    @Test func `a collector that is away is a trouble of readiness, page and metrics, and fails nothing`() async throws
    {
        try await with("traces: { sample: 1 }") { stand, collector, _ in
            collector.stop()
            try await stand.reload { $0.sections = "telemetry: { otlp: { endpoint: \"http://127.0.0.1:1\" } }" }
            await stand.log.wait(for: "warning: telemetry cannot be delivered")
            try await eventually {
                let ready = try await stand.get("/readyz?verbose", admin: true)
                #expect(ready.status == 200 && ready.text.contains("[+]telemetry warn: telemetry for "))
                return ready.text.contains("http://127.0.0.1:1/v1/metrics: the connection was refused")
            }
            #expect(try await stand.get("/graph.html", admin: true).text.contains("telemetry for "))
            #expect(
                try await stand.metrics().value(
                    "larder_trouble_since_timestamp_seconds", ["kind": "telemetry", "part": ""]) != nil)
            #expect(try await stand.get("/products").status == 200)
        }
    }
}
