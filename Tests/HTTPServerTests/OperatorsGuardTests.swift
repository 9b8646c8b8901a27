import TestSupport
import Testing
import Text

@testable import HTTPServer

@Suite struct OperatorsGuardTests {
    private let log = LogRecorder()

    private func status(
        peer: String = "127.0.0.1", _ headers: [(String, String)] = [], token: String? = nil
    ) async throws -> Int {
        let secret = token.map { token in { @Sendable () async -> Secret in Secret(token) } }
        let handler = OperatorsGuard(token: secret, logger: log.logger)
            .around(ClosureHTTPHandler { _ in HTTPResponse(status: .noContent) })
        let request = HTTPRequest(method: .post, target: "/pin?reason=a%20b", headers: headers, peer: peer)
        return try await handler.respond(to: request).status.code
    }

    @Test(arguments: [
        ("127.0.0.1", 204), ("127.8.9.1", 204), ("::1", 204), ("::ffff:127.0.0.1", 204), ("10.0.0.7", 403),
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
