import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LimitsRoutesTests {
    private static func limited(_ limits: String) -> @Sendable (inout ServiceSettings) -> Void {
        { $0.http = "listen: 127.0.0.1:0, limits: { \(limits) }" }
    }

    @Test func `beyond the outstanding requests clients get 503, probes and operators are answered`() async throws {
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

    @Test func `an address with all its connections in use leaves the operators' port free`() async throws {
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
