import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Limits over HTTP", .timeLimit(.minutes(1)))
struct LimitsRoutesTests {
    private static func limited(_ limits: String) -> @Sendable (inout ServiceSettings) -> Void {
        { $0.http = "listen: 127.0.0.1:0, limits: { \(limits) }" }
    }

    @Test(
        "A head beyond a limit is a problem that names it, and the next request is served",
        arguments: [
            ("", "/products?q=\(String(repeating: "a", count: 100_000))", 0, 414, "URI Too Long"),
            ("target_bytes: 100", "/products/\(String(repeating: "a", count: 91))", 0, 414, "URI Too Long"),
            ("headers: 10", "/products", 10, 431, "Request Header Fields Too Large"),
            ("header_bytes: 9KiB", "/products", 400, 431, "Request Header Fields Too Large"),
        ])
    func heads(limits: String, target: String, fields: Int, status: Int, title: String) async throws {
        try await Stand.with(Self.limited(limits)) { stand in
            let headers = (0..<fields).map { HTTPHeader("X-Field-\($0)", "of some length") }
            let response = try await stand.get(target, headers: headers)
            #expect(response.status == status)
            #expect(response.headers["Content-Type"] == "application/problem+json")
            #expect(response.json?["title"]?.string == title)
            #expect(response.json?["status"]?.number?.integer == status)
            #expect(try await stand.get("/products").status == 200)
        }
    }

    @Test("What is just within the limits is served")
    func within() async throws {
        try await Stand.with(Self.limited("target_bytes: 100, headers: 40")) { stand in
            let headers = (0..<30).map { HTTPHeader("X-Field-\($0)", "") }
            let response = try await stand.get("/products/\(String(repeating: "a", count: 90))", headers: headers)
            #expect(response.status == 404)
        }
    }

    @Test("Beyond the requests that may wait one is told to come again, while probes and operators are answered")
    func outstanding() async throws {
        let upstream = GatedUpstream()
        defer { upstream.close() }
        try await Stand.with {
            Self.limited("outstanding: 2")(&$0)
            $0.upstream = upstream.address
            $0.isMonitored = false
            $0.staleWhileRevalidate = "0s"
        } _: { stand in
            _ = try await stand.warm()
            let crowd = try await ClientCrowd(count: 2, port: try stand.port())
            defer { crowd.leave() }
            upstream.gate.close()
            stand.clock.advance(by: .milliseconds(10_001))
            await crowd.sendAll("/products")
            await upstream.wait(forRequests: 2)
            for probe in ["/livez", "/readyz", "/healthz"] {
                #expect(try await stand.get(probe).status == 200)
            }
            let refused = try await stand.get("/products")
            #expect(refused.status == 503)
            #expect(refused.headers["Retry-After"] == "1")
            #expect(refused.headers["Content-Type"] == "application/problem+json")
            #expect(try await stand.get("/graph", admin: true).status == 200)

            upstream.gate.open()
            #expect(await crowd.answers().map { $0?.status } == [200, 200])
            #expect(try await stand.get("/products").status == 200)
            try await stand.stop()
            #expect(stand.log.metadata(of: "warning: refused") == [["reasons": #"["overloaded": "1"]"#]])
        }
    }

    @Test("Who has all connections of an address takes none of the operators' port")
    func portsAreApart() async throws {
        try await Stand.with(Self.limited("connections: 1, per_address: 1")) { stand in
            let crowd = try await ClientCrowd(count: 2, port: try stand.port())
            defer { crowd.leave() }
            await crowd.send("/livez", by: 0)
            #expect(await crowd.answers().map { $0?.status } == [200, 429])
            let operators = try await ClientCrowd(count: 2, port: try stand.port(admin: true))
            defer { operators.leave() }
            await operators.sendAll("/livez")
            #expect(await operators.answers().map { $0?.status } == [200, 200])
        }
    }
}
