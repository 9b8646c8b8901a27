import CoreMetrics
import JSON
import Logging
import Prometheus
import Testing

@testable import Telemetry
@testable import Tracing

struct OTLPEncodingTests {
    private let resource = OTLPResource(version: "1.2.3", instance: "a-1")

    private func parsed(_ bytes: [UInt8]) throws -> JSONValue { try JSONParser().parse(bytes) }

    @Test func `a span has the JSON form of the protocol`() throws {
        let trace = try #require(
            TraceContext(parent: "00-\(String(repeating: "a", count: 32))-00000000000000b1-01", state: "v=1"))
        let span = FinishedSpan(
            trace: trace, id: 0x0c, parent: trace.caller, name: "GET /products", kind: .server,
            start: 1_700_000_000_000_000_001, end: 1_700_000_000_000_000_002,
            attributes: [SpanAttribute("url.path", "/\"ö"), SpanAttribute("http.response.status_code", 503)],
            failure: SpanFailure("503", message: "away"))
        let expected = """
            {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"larder"}},\
            {"key":"service.version","value":{"stringValue":"1.2.3"}},\
            {"key":"service.instance.id","value":{"stringValue":"a-1"}}]},\
            "scopeSpans":[{"scope":{"name":"larder","version":"1.2.3"},"spans":[\
            {"traceId":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","spanId":"000000000000000c","name":"GET /products","kind":2,\
            "startTimeUnixNano":"1700000000000000001","endTimeUnixNano":"1700000000000000002","attributes":[\
            {"key":"url.path","value":{"stringValue":"/\\"ö"}},\
            {"key":"http.response.status_code","value":{"intValue":"503"}},\
            {"key":"error.type","value":{"stringValue":"503"}}],"parentSpanId":"00000000000000b1",\
            "traceState":"v=1","status":{"code":2,"message":"away"}}]}]}]}
            """
        #expect(String(decoding: resource.request([span]), as: UTF8.self) == expected)
    }

    @Test func `a span without parent and failure has neither`() throws {
        let span = FinishedSpan(
            trace: TraceContext(traceID: "b"), id: 1, parent: 0, name: "refresh", kind: .internal, start: 1, end: 2,
            attributes: [], failure: nil)
        let text = String(decoding: resource.request([span]), as: UTF8.self)
        #expect(!text.contains("parentSpanId") && !text.contains("status") && !text.contains("traceState"))
    }

    @Test func `a line of the log has the JSON form of the protocol, with its metadata by their types`() throws {
        let line = LogRecord(
            .error, "late", ["n": .stringConvertible(7), "ms": .stringConvertible(0.5), "list": ["x", ["k": "v"]]],
            at: 9)
        let expected = """
            {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"larder"}},\
            {"key":"service.version","value":{"stringValue":"1.2.3"}},\
            {"key":"service.instance.id","value":{"stringValue":"a-1"}}]},\
            "scopeLogs":[{"scope":{"name":"larder","version":"1.2.3"},"logRecords":[\
            {"timeUnixNano":"9","observedTimeUnixNano":"9","severityNumber":17,"severityText":"error",\
            "body":{"stringValue":"late"},"attributes":[\
            {"key":"list","value":{"arrayValue":{"values":[{"stringValue":"x"},\
            {"kvlistValue":{"values":[{"key":"k","value":{"stringValue":"v"}}]}}]}}},\
            {"key":"ms","value":{"doubleValue":0.5}},{"key":"n","value":{"intValue":"7"}}]}]}]}]}
            """
        #expect(String(decoding: resource.request([line]), as: UTF8.self) == expected)
    }

    @Test func `metrics become sums, gauges and histograms by the names of the scrape`() async throws {
        let registry = MetricsRegistry(known: [MetricDescription("larder_a", .counter, "Help.")])
        MetricDescription("larder_a", .counter, "Help.").counter([("route", "/x")], in: registry).increment(by: 3)
        MetricDescription("larder_t", .histogram, "").timer([], in: registry).recordNanoseconds(2_000_000_000)
        let families =
            await registry.families() + [
                MetricFamily(MetricDescription("larder_g", .gauge, "Gauge."), .number(.nan)),
                MetricFamily(MetricDescription("larder_b", .info, "Info."), "v", [("1", .count(1))]),
                MetricFamily(MetricDescription("larder_empty", .gauge, "None."), nil),
            ]
        let body = try parsed(resource.request(families, since: 5, at: 6)).object
        let scope = body?["resourceMetrics"]?.array?.first?.object?["scopeMetrics"]?.array?.first?.object
        let metrics = (scope?["metrics"]?.array ?? []).compactMap(\.object)
        try #require(metrics.map { $0["name"]?.string } == ["larder_a_total", "larder_t", "larder_g", "larder_b_info"])
        #expect(
            "\(JSONValue.object(metrics[0]))" == """
                {"name":"larder_a_total","description":"Help.","sum":{"dataPoints":[{"startTimeUnixNano":"5",\
                "timeUnixNano":"6","attributes":[{"key":"route","value":{"stringValue":"/x"}}],"asInt":"3"}],\
                "aggregationTemporality":2,"isMonotonic":true}}
                """)
        let histogram = try #require(metrics[1]["histogram"]?.object?["dataPoints"]?.array?.first?.object)
        #expect(histogram["count"]?.string == "1" && histogram["sum"]?.number?.double == 2)
        #expect(histogram["bucketCounts"]?.array?.count == 14 && histogram["explicitBounds"]?.array?.count == 13)
        #expect(metrics[2]["gauge"]?.object?["dataPoints"]?.array?.first?.object?["asDouble"]?.string == "NaN")
        #expect(metrics[3]["gauge"]?.object?["dataPoints"]?.array?.first?.object?["asInt"]?.string == "1")
    }
}
