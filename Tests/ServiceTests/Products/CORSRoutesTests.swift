@testable import OperatorsAPI
import Configuration
import HTTPServer
import Networking
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct CORSRoutesTests {
    private static let shop = HTTPHeader("Origin", "https://shop.example")
    private static let other = HTTPHeader("Origin", "https://other.example")
    private static let asks = HTTPHeader("Access-Control-Request-Method", "GET")

    private static func allowing(_ cors: String) throws -> InMemoryService {
        try InMemoryService(http: "cors: { \(cors) }")
    }

    private static func onSockets(_ cors: String) -> @Sendable (inout ServiceSettings) -> Void {
        { $0.http = "listen: 127.0.0.1:0, cors: { \(cors) }" }
    }

    private static func values(_ response: HTTPClientResponse, _ name: String) -> [String] {
        response.headers.all.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    @Test func `without CORS no field is added, and OPTIONS is plain`() async throws {
        let service = try InMemoryService()
        let answer = try await service.get("/products", headers: [Self.shop])
        let preflight = try await service.get("/products", method: "OPTIONS", headers: [Self.shop, Self.asks])
        for response in [answer, preflight] {
            #expect(!response.headers.all.contains { $0.name.lowercased().hasPrefix("access-control-") })
        }
        #expect(preflight.headers["Allow"] == "GET, HEAD, OPTIONS")
        #expect(answer.headers["Vary"] == "Accept-Encoding")
    }

    @Test(
        arguments: [
            ("/products", [], 200, "Accept-Encoding, Origin"), ("/products/p-7", [], 200, "Accept-Encoding, Origin"),
            ("/products", [HTTPHeader("If-None-Match", "*")], 304, "Accept-Encoding, Origin"),
            ("/products", [HTTPHeader("If-Match", "\"x\"")], 412, "Origin"), ("/products/none", [], 404, "Origin"),
            ("/nowhere", [], 404, "Origin"), ("/products?limit=x", [], 400, "Origin"),
            ("/livez", [], 200, "Accept, Origin"),
            ("/products", [HTTPHeader("Accept-Encoding", "*;q=0")], 406, "Accept-Encoding, Origin"),
        ] as [(String, [HTTPHeader], Int, String)])
    func `a listed origin may read every response, and Vary has Origin for all`(
        target: String, headers: [HTTPHeader], status: Int, vary: String
    ) async throws {
        let service = try Self.allowing("allow_origins: [http://localhost:3000, https://shop.example]")
        _ = try await service.warm()
        for (origin, allowed) in [([Self.shop], ["https://shop.example"]), ([Self.other], []), ([], [])] {
            let response = try await service.get(target, headers: headers + origin)
            #expect(response.status == status)
            #expect(Self.values(response, "Access-Control-Allow-Origin") == allowed)
            #expect(Self.values(response, "Access-Control-Expose-Headers").count == allowed.count)
            #expect(Self.values(response, "Vary") == [vary])
        }
    }

    @Test func `any origin may read when * is allowed, without Vary`() async throws {
        let service = try Self.allowing("allow_origins: [\"*\"]")
        _ = try await service.warm()
        for headers in [[], [Self.other]] {
            let response = try await service.get("/products", headers: headers)
            #expect(response.headers["Access-Control-Allow-Origin"] == "*")
            #expect(response.headers["Vary"] == "Accept-Encoding")
            let exposed = try #require(response.headers["Access-Control-Expose-Headers"])
            #expect(
                exposed == "Age, Allow, Cache-Status, Date, ETag, Larder-Variant, Link, RateLimit, RateLimit-Policy, "
                    + "Retry-After, Vary, WWW-Authenticate, X-Request-Id"
            )
        }
        let wrong = try await service.get("/products", method: "POST", headers: [Self.other])
        #expect(wrong.status == 405)
        #expect(wrong.headers["Access-Control-Allow-Origin"] == "*")
    }

    @Test(
        arguments: [
            ("allow_origins: [\"*\"]", "https://other.example", "*", nil),
            ("allow_origins: [https://shop.example]", "https://shop.example", "https://shop.example", "Origin"),
            ("allow_origins: [https://shop.example]", "https://other.example", nil, "Origin"),
        ] as [(String, String, String?, String?)])
    func `a request refused before routing has the same fields and its id`(
        cors: String, origin: String, allowed: String?, vary: String?
    ) async throws {
        try await Stand.with(Self.onSockets(cors)) { stand in
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

    @Test(arguments: ["/products", "/nowhere"])
    func `a preflight names the allowed methods and fields, whatever the path`(target: String) async throws {
        let service = try Self.allowing(
            "allow_origins: [https://shop.example], allow_headers: [X-Trace], max_age: 2m")
        let yes = try await service.get(target, method: "OPTIONS", headers: [Self.shop, Self.asks])
        #expect(yes.status == 204)
        #expect(yes.headers["Access-Control-Allow-Origin"] == "https://shop.example")
        #expect(yes.headers["Access-Control-Allow-Methods"] == "GET, HEAD")
        #expect(
            yes.headers["Access-Control-Allow-Headers"]
                == "If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, X-Trace")
        #expect(yes.headers["Access-Control-Max-Age"] == "120")
        #expect(
            Self.values(yes, "Vary") == ["Origin, Access-Control-Request-Method, Access-Control-Request-Headers"])
        let no = try await service.get(target, method: "OPTIONS", headers: [Self.other, Self.asks])
        #expect(no.status == (target == "/products" ? 204 : 404))
        #expect(no.headers["Access-Control-Allow-Origin"] == nil)
        #expect(no.headers["Access-Control-Allow-Methods"] == nil)
        #expect(Self.values(no, "Vary") == ["Origin"])
        let plain = try await service.get("/products", method: "OPTIONS", headers: [Self.shop])
        #expect(plain.headers["Allow"] == "GET, HEAD, OPTIONS")
        #expect(plain.headers["Access-Control-Allow-Origin"] == "https://shop.example")
    }

    @Test func `headers that the graph consults are in the one Vary`() async throws {
        let graph = "top: { type: audience, header: x-tier, cases: { gold: gold }, otherwise: rest }"
        let service = try InMemoryService(graph, http: "cors: { allow_origins: [https://shop.example] }")
        let answer = try await service.get("/products", headers: [Self.shop])
        #expect(Self.values(answer, "Vary") == ["Accept-Encoding, X-Tier, Origin"])
        let missing = try await service.get("/products/none", headers: [Self.shop])
        #expect(Self.values(missing, "Vary") == ["Accept-Encoding, X-Tier, Origin"])
    }

    @Test func `the operators' port allows no origin`() async throws {
        let service = try Self.allowing("allow_origins: [\"*\"]")
        let response = try await service.get("/graph", headers: [Self.shop], admin: true)
        #expect(response.status == 200)
        #expect(response.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test func `an unexpected error can be read too, and is reported`() async throws {
        struct Mishap: Error {}
        try await Stand.with(Self.onSockets("allow_origins: [https://shop.example]")) { stand in
            let parts = try stand.parts
            let preflights = RouteMetrics(nil, parts.runtime.metrics)
            let cors = parts.current.edition.configuration.service.http.cors
            let server = parts.runtime.server(NetworkAddress(host: "127.0.0.1", port: 0)) { _ in
                CORSHandler.middleware(CORSPolicy(cors, consulted: []), preflights: preflights)(
                    BarePort(ClosureHTTPHandler { _ in throw Mishap() }))
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

}
