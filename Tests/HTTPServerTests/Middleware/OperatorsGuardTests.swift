import TestSupport
import Testing
import Text

@testable import HTTPServer

@Suite struct OperatorsGuardTests {
    private let log = LogRecorder()
    private let clock = ManualClock()

    private func status(
        peer: String = "127.0.0.1", _ headers: [(String, String)] = [], token: String? = nil, isLocal: Bool = true
    ) async throws -> Int {
        let secret = token.map { token in { @Sendable () async -> Secret in Secret(token) } }
        let handler = OperatorsGuard(token: secret, isLocal: isLocal, logger: log.logger)
            .around(ClosureHTTPHandler { _ in HTTPResponse(status: .noContent) })
        let request = HTTPRequest(method: .post, target: "/pin?reason=a%20b", headers: headers, peer: peer)
        return try await handler.response(to: request).status.code
    }

    @Test(arguments: [
        ("127.0.0.1", 204), ("127.0.0.6", 403), ("::1", 204), ("::ffff:127.0.0.1", 204), ("10.0.0.7", 403),
        ("::ffff:10.0.0.7", 403), ("fe80::1", 403), ("", 403),
    ])
    func `without a token orders come from this machine`(peer: String, expected: Int) async throws {
        #expect(try await status(peer: peer) == expected)
        let authorized = [("Authorization", "Bearer secret")]
        #expect(try await status(peer: peer, authorized, token: "secret") == 204)
        #expect(try await status(peer: peer, token: "secret") == 401)
    }

    @Test(arguments: [
        ([("Sec-Fetch-Site", "cross-site")], 403), ([("Sec-Fetch-Site", "same-site")], 403),
        ([("Sec-Fetch-Site", "none")], 204), ([("Origin", "https://shop.example")], 403), ([("Origin", "null")], 403),
        ([("Host", "localhost:9090"), ("Origin", "http://localhost:9090")], 204),
        ([("Host", "[::1]:9090"), ("Origin", "http://[::1]:9090"), ("Sec-Fetch-Site", "same-origin")], 204),
        ([("Host", "localhost:9090"), ("Origin", "http://localhost:9091")], 403),
        ([("Host", "evil.example:9090"), ("Origin", "http://evil.example:9090")], 403),
        ([("Host", "127.0.0.1:9090"), ("Origin", "http://127.0.0.1:9090")], 204),
        ([("Host", "127.0.0.1.evil.example:9090"), ("Origin", "http://127.0.0.1.evil.example:9090")], 403),
        ([("Host", "larder.internal:9090")], 204),
        ([("Host", "localhost:9090"), ("Origin", "https://evil.example/localhost:9090")], 403),
        ([("Host", "localhost:9090"), ("Origin", "evil://localhost:9090")], 403),
    ])
    func `pages of other sites give no orders`(headers: [(String, String)], expected: Int) async throws {
        #expect(try await status(headers) == expected)
    }

    @Test(arguments: [
        "Forwarded", "via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "X-Envoy-External-Address",
    ])
    func `without a token a proxy on this machine passes no orders on`(field: String) async throws {
        #expect(try await status([(field, "10.0.0.7")]) == 403)
        let authorized = [(field, "10.0.0.7"), ("Authorization", "Bearer secret")]
        #expect(try await status(authorized, token: "secret") == 204)
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.6", "::1", "10.0.0.7"])
    func `without a token no orders are taken where a sidecar could have anybody send them`(peer: String) async throws {
        #expect(try await status(peer: peer, isLocal: false) == 403)
        #expect(try await status(peer: peer, [("Authorization", "Bearer s")], token: "s", isLocal: false) == 204)
        #expect(log.seenLines.first?.metadata["error"]?.contains("admin.token_file") == true)
    }

    @Test func `refused orders are logged once a minute, with their number`() async throws {
        let operators = OperatorsGuard(token: { Secret("s") }, logger: log.logger, clock: clock)
        let handler = operators.around(ClosureHTTPHandler { _ in HTTPResponse(status: .noContent) })
        func refuse(_ count: Int) async throws {
            for _ in 0..<count {
                let request = HTTPRequest(method: .post, target: "/pin", headers: [], peer: "10.0.0.7")
                #expect(try await handler.response(to: request).status.code == 401)
            }
        }
        try await refuse(10_000)
        clock.advance(by: .seconds(59))
        try await refuse(1)
        clock.advance(by: .seconds(1))
        try await refuse(2)
        #expect(log.seenLines.map { $0.metadata["refused"] } == ["1", "10001"])
    }

    @Test(arguments: [
        ("127.0.0.1:9090", true), ("10.1.2.3:9090", true), ("[::1]:9090", true), ("[fd00::1]", true),
        ("localhost:9090", true), ("LOCALHOST", true), ("larder:9090", true), ("larder.shop.svc:9090", true),
        ("larder.shop.svc.cluster.local.", true), ("larder.internal", true), ("larder.shop.example:9090", true),
        ("a.b.fleet.example", true), ("fleet.example", true), (nil, true), ("evil.example:9090", false),
        ("127.0.0.1.evil.example", false), ("larder.svc.evil.example", false), ("shop.example", false),
        ("notfleet.example", false), ("localhost.evil.example:9090", false), ("evil.example.", false),
        (String(repeating: "a", count: 300), true), (String(repeating: "a", count: 301), false),
        (String(repeating: "1.", count: 8000), false), ("[" + String(repeating: ":", count: 8000), false),
    ])
    func `names that others could make lead here are not those of the port`(host: String?, isOwn: Bool) {
        let names = OperatorsNames(["Larder.Shop.example", ".fleet.example"])
        #expect(names.contain(host) == isOwn)
    }

    @Test func `under a foreign name the port has probes alone`() async throws {
        let probes = Router([Route(.get, "/livez", ClosureHTTPHandler { _ in HTTPResponse(status: .accepted) })])
        let port = BarePort(ClosureHTTPHandler { _ in HTTPResponse(status: .noContent) })
            .within([OperatorsNames([]).middleware(probes: probes)])
        func status(_ target: String, _ host: String) async throws -> Int {
            try await port.response(to: HTTPRequest(target: target, headers: [("Host", host)])).status.code
        }
        #expect(try await status("/graph", "localhost:9090") == 204)
        #expect(try await status("/livez", "localhost:9090") == 204)
        for target in ["/graph", "/metrics", "/history", "/", "/livez/x", "/products?explain=1"] {
            #expect(try await status(target, "evil.example:9090") == 421)
        }
        #expect(try await status("/livez?verbose", "evil.example:9090") == 202)
    }

    @Test func `with a token a page of this port may have any name`() async throws {
        let headers = [
            ("Host", "larder.internal:9090"), ("Origin", "http://larder.internal:9090"), ("Authorization", "Bearer s"),
        ]
        #expect(try await status(peer: "10.0.0.7", headers, token: "s") == 204)
        #expect(try await status(peer: "10.0.0.7", headers + [("Sec-Fetch-Site", "cross-site")], token: "s") == 403)
    }

    @Test(arguments: [("", false), ("secre", false), ("secret", true), ("secrets", false), ("secretsecret", false)])
    func `a token is compared whole`(text: String, isSame: Bool) async throws {
        let status = try await status(peer: "10.0.0.7", [("Authorization", "Bearer \(text)")], token: "secret")
        #expect(status == (isSame ? 204 : 401))
    }

    @Test func `every order is logged with who and why, refused ones with the cause`() async throws {
        _ = try await status()
        _ = try await status(peer: "10.0.0.7")
        #expect(log.seen == ["notice: operator's order", "notice: operator's order refused"])
        #expect(log.seenLines.allSatisfy { $0.metadata["reason"] == "a b" && $0.metadata["request_id"] != nil })
        #expect(log.seenLines[1].metadata["remote"] == "10.0.0.7")
        #expect(log.seenLines[1].metadata["error"]?.contains("this machine only") == true)
    }
}
