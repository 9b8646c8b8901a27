import HTTPServer
import Products
import ServingTestSupport
import TestSupport
import Testing

@testable import Serving

@Suite struct ConsultedHeadersTests {
    private static let http = #"{ type: http, request: { base_url: "http://shop.example" } }"#
    private static let counted = "{ type: analytics, sink: s, event: e, upstream: \(http) }"
    private static let plainSplit = "{ type: ab_test, experiment: x, subject: X-User, a: \(http), b: \(http) }"
    private static let exposing =
        "{ type: ab_test, experiment: x, subject: X-User, sink: s, a: \(http), b: \(http) }"
    private static let split = "{ type: ab_test, experiment: x, subject: X-User, a: \(http), b: \(counted) }"
    private static let request = HTTPRequest(
        target: "/products", headers: [("sec-gpc", "1"), ("X-User", "me"), ("Cookie", "secret")])

    private func consulted(_ graph: String) throws -> ConsultedHeaders {
        ConsultedHeaders(try makeOutline("analytics: { s: { type: log } }\nserve: \(graph)"))
    }

    @Test func `only the headers of the variance are read`() throws {
        let consulted = try consulted(Self.split)
        #expect(consulted.variance.vary == "Accept-Encoding, X-User")
        #expect(consulted.products(Self.request).headers == ["x-user": "me"])
    }

    @Test(arguments: [
        counted, split, exposing, "{ type: timeout, after: 1s, upstream: \(counted) }",
        "{ type: fallback, primary: { type: memory, upstream: \(http) }, secondary: \(counted) }",
    ])
    func `an opt-out is read where the graph counts callers`(graph: String) throws {
        let consulted = try consulted(graph)
        #expect(consulted.products(Self.request).analyticsOptOut)
        #expect(consulted.products(HTTPRequest(target: "/", headers: [("DNT", "1")])).analyticsOptOut)
        let others = [("DNT", "0"), ("Sec-GPC", "0"), ("X-User", "1")]
        #expect(!consulted.products(HTTPRequest(target: "/", headers: others)).analyticsOptOut)
    }

    @Test(arguments: [
        "{ type: audience, header: X-User, cases: { me: \(http) }, otherwise: \(http) }", plainSplit,
        "{ type: memory, upstream: \(counted) }", "{ type: memory, upstream: \(split) }",
        "{ type: timeout, after: 1s, upstream: { type: memory, upstream: \(counted) } }",
    ])
    func `an opt-out is not read where nobody is counted, or below memory alone`(graph: String) throws {
        #expect(try !consulted(graph).products(Self.request).analyticsOptOut)
    }
}

@Suite struct ResponseVarianceTests {
    private let variance = ResponseVariance(
        ["x-user", "ETAG", "accept-language", "X-User"].map { header in
            RequestVariation(header: header, rule: "test", variants: ["a", "b"]) { $0 == "b" ? 1 : 0 }
        })

    @Test func `Vary has each header once, in order, in the usual spelling`() {
        #expect(variance.vary == "Accept-Encoding, Accept-Language, Etag, X-User")
        #expect(variance.head.fields.map(\.name) == ["Vary"])
        #expect(variance.head.first("Vary") == variance.vary)
        #expect(variance.variants == 16)
        #expect(!variance.isNone)
    }

    @Test func `each combination of variants has a number of its own`() {
        let names = ["x-user", "etag", "Accept-Language"]
        let numbers = (0..<8).map { combination in
            let set = names.indices.filter { combination >> $0 & 1 == 1 }.map { (names[$0], "b") }
            return variance.variant(of: HTTPRequest(target: "/products", headers: set + [("X-Other", "b")]))
        }
        #expect(Set(numbers).count == 8)
        #expect(numbers.allSatisfy((0..<variance.variants).contains))
        #expect(ResponseVariance([]).variant(of: HTTPRequest(target: "/")) == 0)
    }

    @Test func `only these headers are read, by lower-case names`() {
        let request = HTTPRequest(
            target: "/products", headers: [("X-USER", "me"), ("Cookie", "secret"), ("x-user", "too"), ("Etag", "")])
        #expect(variance.headers(of: request) == ["x-user": "me, too", "etag": ""])
    }

    @Test func `without variations nothing is read and Vary has the coding alone`() {
        let none = ResponseVariance([])
        #expect(none.isNone)
        #expect(none.head == ["Vary": "Accept-Encoding"])
        #expect(none.variants == 1)
        #expect(none.headers(of: HTTPRequest(target: "/", headers: [("X-User", "me")])) == [:])
    }
}
