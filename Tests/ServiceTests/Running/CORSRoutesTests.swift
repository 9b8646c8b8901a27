import Configuration
import HTTPServer
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Pages of other origins, over HTTP", .timeLimit(.minutes(1)))
struct CORSRoutesTests {
    private static let shop = HTTPHeader("Origin", "https://shop.example")
    private static let other = HTTPHeader("Origin", "https://other.example")
    private static let asks = HTTPHeader("Access-Control-Request-Method", "GET")

    private static func allowing(_ cors: String) -> @Sendable (inout ServiceSettings) -> Void {
        { $0.http = "listen: 127.0.0.1:0, cors: { \(cors) }" }
    }

    private static func values(_ response: HTTPClientResponse, _ name: String) -> [String] {
        response.headers.all.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    @Test("Without the config nothing is said of origins, and OPTIONS is OPTIONS")
    func off() async throws {
        try await Stand.with { stand in
            let answer = try await stand.get("/products", headers: [Self.shop])
            let preflight = try await stand.get("/products", method: "OPTIONS", headers: [Self.shop, Self.asks])
            for response in [answer, preflight] {
                #expect(!response.headers.all.contains { $0.name.lowercased().hasPrefix("access-control-") })
            }
            #expect(preflight.headers["Allow"] == "GET, HEAD, OPTIONS")
            #expect(answer.headers["Vary"] == "Accept-Encoding")
        }
    }

    @Test(
        "A listed origin may read every answer, problems included; any other is told nothing, and caches are told of both",
        arguments: [
            ("/products", [], 200, "Accept-Encoding, Origin"), ("/products/p-7", [], 200, "Accept-Encoding, Origin"),
            ("/products", [HTTPHeader("If-None-Match", "*")], 304, "Accept-Encoding, Origin"),
            ("/products", [HTTPHeader("If-Match", "\"x\"")], 412, "Origin"), ("/products/none", [], 404, "Origin"),
            ("/nowhere", [], 404, "Origin"), ("/products?limit=x", [], 400, "Origin"),
            ("/livez", [], 200, "Accept, Origin"),
            ("/products", [HTTPHeader("Accept-Encoding", "*;q=0")], 406, "Accept-Encoding, Origin"),
        ] as [(String, [HTTPHeader], Int, String)])
    func listed(target: String, headers: [HTTPHeader], status: Int, vary: String) async throws {
        try await Stand.with(Self.allowing("allow_origins: [http://localhost:3000, https://shop.example]")) { stand in
            _ = try await stand.warm()
            for (origin, allowed) in [([Self.shop], ["https://shop.example"]), ([Self.other], []), ([], [])] {
                let response = try await stand.get(target, headers: headers + origin)
                #expect(response.status == status)
                #expect(Self.values(response, "Access-Control-Allow-Origin") == allowed)
                #expect(Self.values(response, "Access-Control-Expose-Headers").count == allowed.count)
                #expect(Self.values(response, "Vary") == [vary])
            }
        }
    }

    @Test("By * everybody may, whether or not an origin is named, and caches need not tell them apart")
    func everybody() async throws {
        try await Stand.with(Self.allowing("allow_origins: [\"*\"]")) { stand in
            _ = try await stand.warm()
            for headers in [[], [Self.other]] {
                let response = try await stand.get("/products", headers: headers)
                #expect(response.headers["Access-Control-Allow-Origin"] == "*")
                #expect(response.headers["Vary"] == "Accept-Encoding")
                let exposed = try #require(response.headers["Access-Control-Expose-Headers"])
                #expect(exposed == "Age, Allow, Cache-Status, Date, ETag, Link, Retry-After, Vary, X-Request-Id")
            }
            let wrong = try await stand.get("/products", method: "POST", headers: [Self.other])
            #expect(wrong.status == 405)
            #expect(wrong.headers["Access-Control-Allow-Origin"] == "*")
        }
    }

    @Test(
        "What is refused before any route hears of it has the same fields, and what the request is called",
        arguments: [
            ("allow_origins: [\"*\"]", "https://other.example", "*", nil),
            ("allow_origins: [https://shop.example]", "https://shop.example", "https://shop.example", "Origin"),
            ("allow_origins: [https://shop.example]", "https://other.example", nil, "Origin"),
        ] as [(String, String, String?, String?)])
    func refused(cors: String, origin: String, allowed: String?, vary: String?) async throws {
        try await Stand.with(Self.allowing(cors)) { stand in
            let port = try stand.port()
            for (line, framing, status) in [
                ("POST /products", "Content-Length: 1\r\n", 405), ("GET /products", "Content-Length: 1\r\n", 413),
                ("GET /products", "Expect: wonders\r\n", 417), ("GET //", "", 400),
            ] {
                let fields = "Origin: \(origin)\r\n\(framing)"
                let named = try #require(
                    try await Walk.exchange(line, "\(fields)X-Request-Id: mine\r\n", port: port))
                let unnamed = try #require(try await Walk.exchange(line, fields, port: port))
                for answer in [named, unnamed] {
                    #expect(answer.status == status)
                    #expect(answer.headers["access-control-allow-origin"] == allowed)
                    #expect((answer.headers["access-control-expose-headers"] != nil) == (allowed != nil))
                    #expect(answer.headers["vary"] == vary)
                    #expect(answer.headers["allow"] == (status == 405 ? "GET, HEAD, OPTIONS" : nil))
                }
                #expect(named.headers["x-request-id"] == "mine")
                #expect(unnamed.headers["x-request-id"]?.count == 32)
            }
        }
    }

    @Test("A preflight is told what may be sent, whatever the path", arguments: ["/products", "/nowhere"])
    func preflight(target: String) async throws {
        let settings = Self.allowing(
            "allow_origins: [https://shop.example], allow_headers: [X-Trace], max_age: 2m")
        try await Stand.with(settings) { stand in
            let yes = try await stand.get(target, method: "OPTIONS", headers: [Self.shop, Self.asks])
            #expect(yes.status == 204)
            #expect(yes.headers["Access-Control-Allow-Origin"] == "https://shop.example")
            #expect(yes.headers["Access-Control-Allow-Methods"] == "GET, HEAD")
            #expect(
                yes.headers["Access-Control-Allow-Headers"]
                    == "If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, X-Trace")
            #expect(yes.headers["Access-Control-Max-Age"] == "120")
            #expect(
                Self.values(yes, "Vary") == ["Origin, Access-Control-Request-Method, Access-Control-Request-Headers"])
            let no = try await stand.get(target, method: "OPTIONS", headers: [Self.other, Self.asks])
            #expect(no.status == (target == "/products" ? 204 : 404))
            #expect(no.headers["Access-Control-Allow-Origin"] == nil)
            #expect(no.headers["Access-Control-Allow-Methods"] == nil)
            #expect(Self.values(no, "Vary") == ["Origin"])
            let plain = try await stand.get("/products", method: "OPTIONS", headers: [Self.shop])
            #expect(plain.headers["Allow"] == "GET, HEAD, OPTIONS")
            #expect(plain.headers["Access-Control-Allow-Origin"] == "https://shop.example")
        }
    }

    @Test("What the graph decides by may be sent, and is in the one Vary there is")
    func varying() async throws {
        let graph = "top: { type: audience, header: x-tier, cases: { gold: gold }, otherwise: rest }"
        try await VariedStand.with(graph, http: ", cors: { allow_origins: [https://shop.example] }") { stand in
            let answer = try await stand.get("/products", ["Origin": "https://shop.example"])
            #expect(Self.values(answer, "Vary") == ["Accept-Encoding, X-Tier, Origin"])
            let missing = try await stand.get("/products/none", ["Origin": "https://shop.example"])
            #expect(Self.values(missing, "Vary") == ["Accept-Encoding, X-Tier, Origin"])
        }
    }

    @Test("Operators' answers are for no page")
    func operators() async throws {
        try await Stand.with(Self.allowing("allow_origins: [\"*\"]")) { stand in
            let response = try await stand.get("/graph", headers: [Self.shop], admin: true)
            #expect(response.status == 200)
            #expect(response.headers["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test("An error that nobody expected may be read too, and is reported as what it is")
    func unexpected() async throws {
        struct Mishap: Error {}
        try await Stand.with(Self.allowing("allow_origins: [https://shop.example]")) { stand in
            let subjects = try stand.subjects
            let preflights = RouteMetrics(nil, subjects.runtime.metrics)
            let cors = subjects.current.edition.configuration.service.http.cors
            let server = subjects.runtime.server(NetworkAddress(host: "127.0.0.1", port: 0)) { _ in
                CORSHandler.around(
                    ClosureHTTPHandler { _ in throw Mishap() }, CORSPolicy(cors, consulted: []),
                    preflights: preflights)
            }
            try await server.start()
            let answer = try await Walk.exchange(
                "GET /", "Origin: https://shop.example\r\n", port: Int(try #require(server.port)))
            await server.stop(deadline: .zero)
            #expect(answer?.status == 500)
            #expect(answer?.headers["access-control-allow-origin"] == "https://shop.example")
            #expect(answer?.headers["content-type"] == "application/problem+json")
            let reported = stand.log.metadata(of: "error: a request failed unexpectedly")
            #expect(reported.map { $0["error"] } == ["Mishap()"])
        }
    }

    @Test("A reload puts other origins into force")
    func reloaded() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            try await stand.reload { $0.http = "listen: 127.0.0.1:0, cors: { allow_origins: [https://shop.example] }" }
            let response = try await stand.get("/products", headers: [Self.shop])
            #expect(response.headers["Access-Control-Allow-Origin"] == "https://shop.example")
        }
    }
}
