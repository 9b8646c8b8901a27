import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TracingRoutesTests {
    private static let catalogue =
        #"[{"type":"physical","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"}}]"#
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let headers = [
        HTTPHeader("X-Request-Id", "mine"), HTTPHeader("traceparent", "00-\(trace)-b7ad6b7169203331-01"),
        HTTPHeader("tracestate", "a=1"),
    ]

    /// Runs a test with a service whose upstream keeps the heads of the requests for products that it gets.
    private func with(
        _ adjust: (inout ServiceSettings) -> Void = { _ in },
        _ body: (Stand, @Sendable () -> [String]) async throws -> Void
    ) async throws {
        let upstream = ScriptedUpstream(answering { $0.respond(body: Array(Self.catalogue.utf8)) })
        defer { upstream.stop() }
        try await Stand.with({ settings in
            settings.upstream = "127.0.0.1:\(upstream.port)"
            settings.isMonitored = false
            adjust(&settings)
        }) { stand in
            try await eventually { try await stand.get("/readyz").status == 200 }
            try await body(stand) { upstream.requestHeads }
        }
    }

    @Test func `only a request that causes a fetch passes on its id and trace`() async throws {
        try await with { stand, heads in
            #expect(heads().count == 1)
            #expect(!heads()[0].lowercased().contains("x-request-id"))
            #expect(!heads()[0].lowercased().contains("traceparent"))
            _ = try await stand.get("/products", headers: Self.headers)
            #expect(heads().count == 1)
            stand.clock.advance(by: .seconds(11))
            _ = try await stand.get("/products", headers: Self.headers)
            try await eventually { heads().count == 2 }
            let head = heads()[1]
            #expect(head.contains("X-Request-Id: mine\r\n"))
            #expect(head.contains("traceparent: 00-\(Self.trace)-"))
            #expect(!head.contains("b7ad6b7169203331"))
            #expect(head.contains("tracestate: a=1\r\n"))
        }
    }

    @Test func `without memory every request passes on its id and trace`() async throws {
        try await with({ $0.serve = "remote" }) { stand, heads in
            for _ in 0..<2 { _ = try await stand.get("/products", headers: Self.headers) }
            let passedOn = heads().filter { $0.contains("X-Request-Id: mine\r\n") }
            #expect(passedOn.count == 2)
            #expect(passedOn.allSatisfy { $0.contains("traceparent: 00-\(Self.trace)-") })
        }
    }

    @Test func `ids and traces are in the log, and errors show their id`() async throws {
        try await with({ $0.http += ", access_log: all" }) { stand, _ in
            let found = try await stand.get("/products", headers: Self.headers)
            #expect(found.headers["X-Request-Id"] == nil)
            let missing = try await stand.get("/products/none", headers: Self.headers)
            #expect(missing.headers["X-Request-Id"] == "mine")
            let nowhere = try await stand.get("/nowhere")
            let made = try #require(nowhere.headers["X-Request-Id"])
            let operators = try await stand.get("/nowhere", admin: true)
            #expect(operators.headers["X-Request-Id"] != made)
            let lines = stand.log.metadata(of: "info: request").filter { $0["path"] != "/readyz" }
            #expect(lines.map { $0["request_id"] } == ["mine", "mine", made])
            #expect(lines.map { $0["trace_id"] } == [Self.trace, Self.trace, nil])
            #expect(lines.map { $0["status"] } == ["200", "404", "404"])
        }
    }

    @Test func `responses do not depend on the trace`() async throws {
        try await with { stand, heads in
            let plain = try await stand.get("/products")
            let traced = try await stand.get("/products", headers: Self.headers)
            #expect(traced.headers["ETag"] == plain.headers["ETag"])
            #expect(traced.headers["Vary"] == plain.headers["Vary"])
            #expect(heads().count == 1)
        }
    }
}
