import Configuration
import HTTPServer
import Products
import Testing

@testable import Service

@Suite("The headers that a graph consults")
struct ConsultedHeadersTests {
    private static let http = #"{ type: http, request: { base_url: "http://shop.example" } }"#
    private static let counted = "{ type: analytics, sink: s, event: e, upstream: \(http) }"
    private static let plainSplit = "{ type: ab_test, experiment: x, subject: X-User, a: \(http), b: \(http) }"
    private static let exposing =
        "{ type: ab_test, experiment: x, subject: X-User, sink: s, a: \(http), b: \(http) }"
    private static let split = "{ type: ab_test, experiment: x, subject: X-User, a: \(http), b: \(counted) }"
    private static let request = HTTPRequest(
        target: "/products", headers: [("sec-gpc", "1"), ("X-User", "me"), ("Cookie", "secret")])

    private func consulted(_ graph: String) throws -> ConsultedHeaders {
        ConsultedHeaders(
            try ServiceSettings.loaded("analytics: { s: { type: log } }\nserve: \(graph)").root.outline)
    }

    @Test("What answers vary by is read, and nothing else")
    func headers() throws {
        let consulted = try consulted(Self.split)
        #expect(consulted.variance.vary == "Accept-Encoding, X-User")
        #expect(consulted.products(Self.request).headers == ["x-user": "me"])
    }

    @Test(
        "Whether the caller opted out is read where the graph counts callers",
        arguments: [
            counted, split, exposing, "{ type: timeout, after: 1s, upstream: \(counted) }",
            "{ type: fallback, primary: { type: memory, upstream: \(http) }, secondary: \(counted) }",
        ])
    func counting(graph: String) throws {
        let consulted = try consulted(graph)
        #expect(consulted.products(Self.request).analyticsOptOut)
        #expect(consulted.products(HTTPRequest(target: "/", headers: [("DNT", "1")])).analyticsOptOut)
        let others = [("DNT", "0"), ("Sec-GPC", "0"), ("X-User", "1")]
        #expect(!consulted.products(HTTPRequest(target: "/", headers: others)).analyticsOptOut)
    }

    @Test(
        "It is not looked for where nobody is counted, or only what memory asks",
        arguments: [
            "{ type: audience, header: X-User, cases: { me: \(http) }, otherwise: \(http) }", plainSplit,
            "{ type: memory, upstream: \(counted) }", "{ type: memory, upstream: \(split) }",
            "{ type: timeout, after: 1s, upstream: { type: memory, upstream: \(counted) } }",
        ])
    func notCounting(graph: String) throws {
        #expect(try !consulted(graph).products(Self.request).analyticsOptOut)
    }
}
