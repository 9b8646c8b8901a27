import TestSupport
import Testing

@testable import HTTPServer

@Suite struct HTTPRequestTests {
    @Test func `keeps what it was made of`() {
        let headers = [("Host", "a"), ("Empty", ""), ("X", String(repeating: "y", count: 70_000))]
        let request = HTTPRequest(method: .head, target: "/a?b", headers: headers, peer: "::1")
        #expect(request.method == .head)
        #expect(request.target == "/a?b")
        #expect(request.rawPath == "/a")
        #expect(request.rawQuery == "b")
        #expect(request.peer == "::1")
        #expect(request.headers.map(\.name) == headers.map(\.0))
        #expect(request.headers.map(\.value) == headers.map(\.1))
    }

    @Test func `finds fields whatever their case and joins them`() {
        let request = HTTPRequest(
            target: "/", headers: [("Accept", "a"), ("If-None-Match", "\"1\""), ("ACCEPT", "b"), ("Accept-X", "c")])
        #expect(request.header("accept") == "a, b")
        #expect(request.header("if-none-match") == "\"1\"")
        #expect(request.header("if-none-matc\u{8}") == nil)
        #expect(request.header("Accep") == nil)
    }

    @Test(arguments: [
        ("If-None-Match", true), ("if-range", true), ("IF-", false), ("If-X", true), ("Iffy", false), ("I", false),
        ("Xf-Match", false), ("", false), ("A-If-Match", false),
    ])
    func `tells whether there is a condition`(name: String, isConditional: Bool) {
        #expect(HTTPRequest(target: "/", headers: [("Host", "a"), (name, "b")]).isConditional == isConditional)
        #expect(!HTTPRequest(target: "/", headers: []).isConditional)
    }

    @Test(arguments: [
        ("X-Request-Id", true), ("x-request-ID", true), ("traceparent", true), ("Traceparent", true),
        ("X-Request-Ie", false), ("tracestate", false), ("If-None-Match", false), ("X-Request-Id2", false), ("", false),
    ])
    func `tells whether it is named`(name: String, isCorrelated: Bool) {
        #expect(HTTPRequest(target: "/", headers: [("Host", "a"), (name, "b")]).isCorrelated == isCorrelated)
        #expect(!HTTPRequest(target: "/", headers: []).isCorrelated)
    }

    @Test func `compares raw paths`() {
        let request = HTTPRequest(target: "/products?limit=1")
        #expect(request.hasRawPath("/products".utf8))
        #expect(!request.hasRawPath("/product".utf8))
        #expect(!request.hasRawPath("/products?".utf8))
    }

    @Test(arguments: [
        ("/", []), ("/?", []), ("/?a", [HTTPQueryItem(name: "a")]), ("/?a=", [HTTPQueryItem(name: "a", value: "")]),
        ("/?a=b=c&&d=1+2%2B3", [HTTPQueryItem(name: "a", value: "b=c"), HTTPQueryItem(name: "d", value: "1 2+3")]),
        ("/?caf%C3%A9=%E2%9C%93", [HTTPQueryItem(name: "caf\u{e9}", value: "\u{2713}")]),
        ("/?a=b?c", [HTTPQueryItem(name: "a", value: "b?c")]), ("/?=", [HTTPQueryItem(name: "", value: "")]),
        ("/?a==", [HTTPQueryItem(name: "a", value: "=")]), ("/?&a&", [HTTPQueryItem(name: "a")]),
    ])
    func `decodes the query`(target: String, items: [HTTPQueryItem]) throws {
        #expect(try HTTPRequest(target: target).queryItems == items)
    }

    @Test(arguments: ["%", "%4", "a=%zz", "a=%ff", "%00=1"])
    func `names the query item that cannot be decoded`(item: String) {
        let error = HTTPRequestError.malformedQueryItem(item)
        #expect(throws: error) { try HTTPRequest(target: "/?ok=1&" + item).queryItems }
        #expect(error.response.status == .badRequest)
        #expect(error.response.body.text.contains(item))
    }

    @Test(arguments: [
        ("a=%", "is not properly percent-encoded"), ("a%4=1", "is not properly percent-encoded"),
        ("a=%00", "holds a NUL character, which is not allowed"),
        ("%00", "holds a NUL character, which is not allowed"),
        ("a=%ff", "does not stand for UTF-8 text"),
    ])
    func `says why it cannot be decoded`(text: String, fault: String) {
        #expect("\(HTTPRequestError.malformedQueryItem(text))" == "the query item \(text) \(fault)")
        #expect("\(HTTPRequestError.malformedPath(text))" == "the path \(text) \(fault)")
    }

    @Test(arguments: [("a+b=%zz", "a b"), ("%61=%", "a"), ("=%", ""), ("%zz=a", nil), ("%", nil)])
    func `points to the parameter whose value cannot be decoded`(item: String, parameter: String?) {
        let text = HTTPRequestError.malformedQueryItem(item).response.body.text
        #expect(text.contains("\"parameter\"") == (parameter != nil))
        if let parameter { #expect(text.contains("\"parameter\":\"\(parameter)\"")) }
    }

    @Test func `decodes the path`() throws {
        #expect(try HTTPRequest(target: "/a%20b+c?d").path == "/a b+c")
        #expect(throws: HTTPRequestError.malformedPath("/%")) { try HTTPRequest(target: "/%").path }
    }

    @Test func `it is small enough to be kept without an allocation where any type may be`() {
        #expect(MemoryLayout<HTTPRequest>.size <= 3 * MemoryLayout<Int>.size)
    }

    @Test func `carries path parameters`() {
        var request = HTTPRequest(target: "/")
        request.pathParameters.append("id", "7")
        request.pathParameters.append("kind", "x")
        #expect(request.pathParameters["id"] == "7")
        #expect(request.pathParameters["kind"] == "x")
        #expect(request.pathParameters["none"] == nil)
    }

    @Test(arguments: [
        ("a", "1,2", "a=1,2"), ("a b", "c&d=e+f", "a%20b=c%26d%3De%2Bf"), ("-._~", "\u{e9}/%>", "-._~=%C3%A9%2F%25%3E"),
    ])
    func `a query item is encoded for a link and reads the same`(name: String, value: String, text: String) throws {
        let item = HTTPQueryItem(name: name, value: value)
        #expect(item.encoded == text)
        #expect(try HTTPRequest(target: "/?\(text)").queryItems == [item])
        #expect(HTTPQueryItem(name: "a").encoded == "a")
    }
}
