import HTTPServer
import Testing

@Suite struct HTTPRequestTests {
    @Test func keepsWhatItWasMadeOf() {
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

    @Test func findsFieldsWhateverTheirCaseAndJoinsThem() {
        let request = HTTPRequest(
            target: "/", headers: [("Accept", "a"), ("If-None-Match", "\"1\""), ("ACCEPT", "b"), ("Accept-X", "c")])
        #expect(request.header("accept") == "a, b")
        #expect(request.header("if-none-match") == "\"1\"")
        #expect(request.header("if-none-matc\u{8}") == nil)
        #expect(request.header("Accep") == nil)
    }

    @Test func comparesRawPaths() {
        let request = HTTPRequest(target: "/products?limit=1")
        #expect(request.hasRawPath("/products".utf8))
        #expect(!request.hasRawPath("/product".utf8))
        #expect(!request.hasRawPath("/products?".utf8))
    }

    @Test(arguments: [
        ("/", []), ("/?", []), ("/?a", [HTTPQueryItem(name: "a")]), ("/?a=", [HTTPQueryItem(name: "a", value: "")]),
        ("/?a=b=c&&d=1+2%2B3", [HTTPQueryItem(name: "a", value: "b=c"), HTTPQueryItem(name: "d", value: "1 2+3")]),
        ("/?caf%C3%A9=%E2%9C%93", [HTTPQueryItem(name: "caf\u{e9}", value: "\u{2713}")]),
        ("/?a=b?c", [HTTPQueryItem(name: "a", value: "b?c")]),
    ])
    func decodesTheQuery(target: String, items: [HTTPQueryItem]) throws {
        #expect(try HTTPRequest(target: target).queryItems == items)
    }

    @Test(arguments: ["%", "%4", "a=%zz", "a=%ff", "%00=1"])
    func namesTheQueryItemThatCannotBeDecoded(item: String) {
        let error = HTTPRequestError.malformedQueryItem(item)
        #expect(throws: error) { try HTTPRequest(target: "/?ok=1&" + item).queryItems }
        #expect(error.response.status == .badRequest)
        #expect(error.response.body.text.contains(item))
    }

    @Test func decodesThePath() throws {
        #expect(try HTTPRequest(target: "/a%20b+c?d").path == "/a b+c")
        #expect(throws: HTTPRequestError.malformedPath("/%")) { try HTTPRequest(target: "/%").path }
    }

    @Test func carriesPathParameters() {
        let request = HTTPRequest(target: "/", pathParameters: PathParameters(["id": "7", "kind": "x"]))
        #expect(request.pathParameters["id"] == "7")
        #expect(request.pathParameters["kind"] == "x")
        #expect(request.pathParameters["none"] == nil)
    }
}
