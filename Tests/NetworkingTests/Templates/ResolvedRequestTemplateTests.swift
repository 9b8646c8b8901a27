internal import JSON
internal import Testing

@testable internal import Networking

struct ResolvedRequestTemplateTests {
    /// A template that says what a test wants, and nothing else.
    struct PartialTemplate: RequestTemplate {
        var baseURL = "http://shop.example"
        var method: RequestMethod?
        var path: String?
        var parameters: [QueryParameter]?
        var headers: [HTTPHeader]?
        var redirectOrigins: [String]?
        var body: JSONObject?
    }

    @Test func `supplies every default`() {
        let resolved = ResolvedRequestTemplate(PartialTemplate())
        #expect(resolved.baseURL == "http://shop.example")
        #expect(resolved.method == .get)
        #expect(resolved.path == "/")
        #expect(resolved.parameters.isEmpty)
        #expect(resolved.headers.isEmpty)
        #expect(resolved.redirectOrigins.isEmpty)
        #expect(resolved.url == "http://shop.example/")
    }

    @Test func `passes on what the template says`() {
        let partial = PartialTemplate(
            method: .post, path: "/a", parameters: [QueryParameter("b", "c")], headers: [HTTPHeader("D", "e")])
        let limits = HTTPClientLimits(connectTimeout: .seconds(3), timeout: .seconds(4), body: 5)
        let request = ResolvedRequestTemplate(partial).request(limits: limits)
        var expected = HTTPClientRequest(
            method: "POST", url: "http://shop.example/a?b=c", headers: [HTTPHeader("D", "e")], limits: limits)
        expected.redirectOrigins = Set([WebAddress("http://shop.example")].compactMap(\.?.origin))
        #expect(request == expected)
    }

    @Test(arguments: [
        ("http://h", "products", [], "http://h/products"),
        ("http://h/", "/products", [], "http://h/products"),
        ("http://h/api/", "/products", [], "http://h/api/products"),
        ("http://h", "/a b/ü/100%25", [], "http://h/a%20b/%C3%BC/100%25"),
        ("http://h", "/a?x=1", [("y", "2")], "http://h/a?x=1&y=2"),
        ("http://h", "/a", [("q", "a&b=c d+é/"), ("", "")], "http://h/a?q=a%26b%3Dc%20d%2B%C3%A9%2F&="),
    ])
    func `joins base URL, path and parameters`(
        base: String, path: String, parameters: [(String, String)], expected: String
    ) {
        let partial = PartialTemplate(
            baseURL: base, path: path, parameters: parameters.map { QueryParameter($0.0, $0.1) })
        #expect(ResolvedRequestTemplate(partial).url == expected)
    }

    @Test func `more parameters take the place of those of the same names`() {
        let partial = PartialTemplate(
            path: "/a?x=1", parameters: [QueryParameter("page", "9"), QueryParameter("b", "c")])
        let resolved = ResolvedRequestTemplate(partial)
        #expect(resolved.url(with: [QueryParameter("page", "1")]) == "http://shop.example/a?x=1&b=c&page=1")
        #expect(resolved.url(with: []) == resolved.url)
    }
}
