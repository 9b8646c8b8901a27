import CoreMetrics
import FoundationEssentials
import Hashing
import Health
import MetricsTestKit
import TestSupport
import Testing

@testable import Access
@testable import HTTPServer

/// A port with keys or a limit, asked without sockets.
@Suite struct ClientAccessTests {
    private final class Statuses: RouteObserver {
        let seen = Shared<[Int]>([])
        func record(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64) {
            seen.withLock { $0.append(status.code) }
        }
    }

    private final class Port: HTTPPortHandler {
        func respond(to request: HTTPRequest) -> EventualResponse {
            .ready(HTTPResponse(status: .ok, body: HTTPBody(text: "\(request.principal.map { "\($0)" } ?? "-")")))
        }
        func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { HTTPHeaderBlock() }
        func bodyLimit(of head: HTTPRequest) -> Int { 0 }
    }

    private static func line(_ name: String, _ key: String, _ rest: String = "") -> String {
        "\(name):sha256-\(SHA256Digest(of: key.utf8).hexDigits)\(rest)\n"
    }

    private let statuses = Statuses()
    private let metrics = TestMetrics()
    private let wallClock = ManualWallClock()

    private func ring(
        _ text: String, path: String = "/dev/null", replacing previous: APIKeyRing? = nil
    ) throws -> APIKeyRing {
        APIKeyRing(
            try APIKeyList(parsing: text), path: path, wallClock: wallClock.wallClock, logger: LogRecorder().logger,
            replacing: previous)
    }

    private func port(_ access: ClientAccess) -> any HTTPPortHandler {
        Port().within(access.middleware(refusals: statuses, metrics))
    }

    private func answer(
        _ port: any HTTPPortHandler, _ target: String = "/products", _ headers: [(String, String)] = [],
        peer: String = "192.0.2.1"
    ) async throws -> HTTPResponse {
        try await port.respond(to: HTTPRequest(target: target, headers: headers, peer: peer)).response
    }

    @Test(arguments: [
        [("Authorization", "Bearer one")], [("authorization", "bearer one")], [("X-Api-Key", "one")],
        [("x-api-key", "one"), ("Accept", "*/*")], [("Authorization", "Basic abc"), ("X-Api-Key", "one")],
    ])
    func `a key is taken from either field`(headers: [(String, String)]) async throws {
        let port = port(
            ClientAccess(ring: try ring(Self.line("till", "one")), keyless: [], limiter: nil, unlimited: []))
        for _ in 0..<3 { #expect(try await answer(port, "/products", headers).body.text == "0") }
        #expect(statuses.seen.withLock { $0 } == [])
        let counter = try metrics.expectCounter(
            "larder_api_key_requests_total", [("key", "till"), ("outcome", "valid")])
        #expect(counter.totalValue == 3)
    }

    @Test(
        arguments: [
            ([], "Bearer"), ([("Authorization", "Basic one")], "Bearer"), ([("Authorization", "one")], "Bearer"),
            ([("Authorization", "Bearer")], "Bearer"),
            ([("Authorization", "Bearer two")], "Bearer error=\"invalid_token\""),
            ([("X-Api-Key", "")], "Bearer error=\"invalid_token\""),
            ([("X-Api-Key", "one ")], "Bearer error=\"invalid_token\""),
            ([("X-Api-Key", "two"), ("X-Api-Key", "one")], "Bearer error=\"invalid_token\""),
            ([("X-Api-Key", String(repeating: "1", count: 513))], "Bearer error=\"invalid_token\""),
            ([("X-Api-Keys", "one")], "Bearer"),
        ] as [([(String, String)], String)])
    func `a request without a valid key gets a 401`(headers: [(String, String)], challenge: String) async throws {
        let port = port(
            ClientAccess(ring: try ring(Self.line("till", "one")), keyless: [], limiter: nil, unlimited: []))
        let response = try await answer(port, "/products", headers)
        #expect(response.status == .unauthorized)
        #expect(response.field("WWW-Authenticate") == challenge)
        #expect(response.field("Content-Type") == "application/problem+json")
        #expect(statuses.seen.withLock { $0 } == [401])
    }

    @Test func `exempt paths take no key, and others that look like them do`() async throws {
        let access = ClientAccess(
            ring: try ring(Self.line("till", "one")), keyless: ["/livez", "/hooks/"], limiter: nil, unlimited: [])
        let port = port(access)
        for target in ["/livez", "/livez?verbose", "/hooks/shop"] {
            #expect(try await answer(port, target).status == .ok)
        }
        for target in ["/livez/", "/Livez", "/hooks", "/%6civez", "/products?x=/livez"] {
            #expect(try await answer(port, target).status == .unauthorized, "\(target)")
        }
    }

    @Test func `a key ends at its day, and has its scopes`() async throws {
        wallClock.now = Date(timeIntervalSince1970: 1_798_761_599)
        let text = Self.line("till", "one", ":2027-01-01") + Self.line("feed", "two", "::changes")
        let port = port(ClientAccess(ring: try ring(text), keyless: [], limiter: nil, unlimited: []))
        #expect(try await answer(port, "/products", [("X-Api-Key", "one")]).status == .ok)
        wallClock.now = Date(timeIntervalSince1970: 1_798_761_600)
        #expect(try await answer(port, "/products", [("X-Api-Key", "one")]).status == .unauthorized)
        #expect(try await answer(port, "/changes?since=1", [("X-Api-Key", "two")]).status == .ok)
        #expect(try await answer(port, "/products", [("X-Api-Key", "two")]).status == .forbidden)
        let products = self.port(
            ClientAccess(ring: try ring(Self.line("shop", "3", "::products")), keyless: [], limiter: nil, unlimited: [])
        )
        #expect(try await answer(products, "/products", [("X-Api-Key", "3")]).status == .ok)
        for target in ["/changes", "/%63hanges", "/change%73?since=1"] {
            #expect(try await answer(products, target, [("X-Api-Key", "3")]).status == .forbidden, "\(target)")
            #expect(try await answer(port, target, [("X-Api-Key", "two")]).status == .ok, "\(target)")
        }
    }

    @Test func `a replaced file is in force after it is read, and a bad one is not`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("keys")
        let write = { (text: String) in try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }
        let text = Self.line("till", "one")
        try write(text)
        let ring = try ring(text, path: path)
        let port = port(ClientAccess(ring: ring, keyless: [], limiter: nil, unlimited: []))
        await ring.reread()
        #expect(try await answer(port, "/products", [("X-Api-Key", "one")]).body.text == "0")
        try write(Self.line("stand", "two"))
        await ring.reread()
        #expect(try await answer(port, "/products", [("X-Api-Key", "one")]).status == .unauthorized)
        #expect(try await answer(port, "/products", [("X-Api-Key", "two")]).body.text == "1")
        #expect(ring.name(of: 1) == "stand")
        try write("stand:two\n")
        await ring.reread()
        #expect(ring.troubles.map(\.kind) == [.keys])
        #expect(ring.troubles.first?.cause.contains("line 1: its digest") == true)
        #expect(try await answer(port, "/products", [("X-Api-Key", "two")]).status == .ok)
        try write(Self.line("stand", "two"))
        await ring.reread()
        #expect(ring.troubles == [])
    }

    @Test func `a trouble outlives a reload with its file, and is not ended by another file`() async throws {
        let directory = try TemporaryDirectory()
        let (text, path) = (Self.line("till", "one"), directory("keys"))
        let first = try ring(text, path: path)
        try Data("till:one\n".utf8).write(to: URL(filePath: path))
        await first.reread()
        let trouble = first.troubles
        #expect(trouble.map(\.kind) == [.keys])
        let other = directory("other")
        try Data(text.utf8).write(to: URL(filePath: other))
        let refused = try ring(text, path: other, replacing: first)
        await refused.reread()
        #expect(refused.troubles == [] && first.troubles == trouble)
        wallClock.now += 60
        let reloaded = try ring(text, path: path, replacing: first)
        #expect(reloaded.troubles == trouble)
        await reloaded.reread()
        #expect(reloaded.troubles.map(\.since) == trouble.map(\.since))
    }

    @Test func `names keep their numbers over reloads, so a key keeps its bucket`() throws {
        let first = try ring(Self.line("till", "one") + Self.line("stand", "two"))
        let second = try ring(
            Self.line("stand", "two") + Self.line("new", "3") + Self.line("till", "one"), replacing: first)
        #expect(["one", "two", "3"].map { second.holder(of: Array($0.utf8))?.number } == [0, 1, 2])
        #expect(second.name(of: 2) == "new")
    }

    @Test func `an address beyond its rate gets a 429, and others do not`() async throws {
        let limit = RateLimit(.address, pause: .seconds(600), burst: 2)
        let limiter = try #require(RateLimiter(limit, logger: LogRecorder().logger))
        let port = port(ClientAccess(ring: nil, keyless: [], limiter: limiter, unlimited: ["/livez"]))
        for _ in 0..<2 { #expect(try await answer(port).status == .ok) }
        let response = try await answer(port)
        #expect(response.status.code == 429)
        #expect(response.field("Retry-After").flatMap { Int($0) }.map { (598...600).contains($0) } == true)
        #expect(response.field("RateLimit-Policy") == "\"address\";q=2;w=1200")
        #expect(response.field("RateLimit")?.hasPrefix("\"address\";r=0;t=") == true)
        #expect(try await answer(port, "/livez").status == .ok)
        #expect(statuses.seen.withLock { $0 } == [429])
    }

    @Test func `a key beyond its rate gets a 429 from any address`() async throws {
        let limiter = try #require(
            RateLimiter(RateLimit(.key, pause: .seconds(600), burst: 1), logger: LogRecorder().logger))
        let text = Self.line("till", "one") + Self.line("stand", "two")
        let port = port(ClientAccess(ring: try ring(text), keyless: [], limiter: limiter, unlimited: []))
        #expect(try await answer(port, "/products", [("X-Api-Key", "one")]).status == .ok)
        #expect(try await answer(port, "/products", [("X-Api-Key", "one")], peer: "192.0.2.2").status.code == 429)
        #expect(try await answer(port, "/products", [("X-Api-Key", "two")]).status == .ok)
        #expect(try await answer(port, "/products", [("X-Api-Key", "three")]).status == .unauthorized)
    }
}

extension HTTPResponse {
    fileprivate func field(_ name: String) -> String? { headers.fields.first { $0.name == name }?.value }
}

extension HTTPBody {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
