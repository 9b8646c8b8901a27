internal import Concurrency
internal import Configuration
internal import FileSystem
internal import Logging
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

/// `auth` of `type: http`: that it is sent, and that its secret is nowhere else.
@Suite(.timeLimit(.minutes(1)))
struct HTTPAuthenticationTests {
    private let log = LogRecorder()

    private func provider(_ client: HTTPClient, _ url: String, _ fields: String) throws -> any ProductsProvider {
        let yaml = "{ type: http, timeout: 20s, request: { base_url: \"\(url)\" }, \(fields) }"
        return try makeProvider(yaml, resources: resources(client)).provider
    }

    private func resources(_ client: HTTPClient) -> ComponentResources {
        makeResources(log, .system, client: client)
    }

    @Test(
        arguments: [
            { @Sendable in $0.respond(status: "401 Unauthorized") }, { $0.respond(body: "[{}]") },
            { $0.respond(status: "302 Found", headers: "Location: http://127.0.0.1:1/\r\n") },
            { $0.respond(headers: "Link: <http://127.0.0.1:1/>; rel=next\r\n", body: "[]") },
            { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") }, { $0.write("nonsense\r\n\r\n") },
        ] as [@Sendable (UpstreamConnection) -> Void])
    func `whatever goes wrong, no failure, trail or log holds the secret`(
        answer: @escaping @Sendable (UpstreamConnection) -> Void
    ) async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { if $0.readRequest() != nil { answer($0) } }
        try await withClient(against: script) { client, upstream async throws in
            let provider = try provider(
                client, upstream.url,
                "pagination: { type: link }, auth: { type: basic, username: u, password: hunter2 }")
            let failure = try #require(try await provider.failure())
            var dumped = ""
            dump(provider, to: &dumped)
            dump(failure, to: &dumped)
            for text in ["\(failure)", String(reflecting: failure), dumped, "\(log.seenLines)"] {
                #expect(!text.contains("hunter2") && !text.contains("dTpodW50ZXIy"))
            }
            #expect(upstream.requestHeads.first?.contains("Authorization: Basic dTpodW50ZXIy\r\n") == true)
        }
    }

    /// Longer than what is shown of a value, so that it is cut in the middle.
    private static let token = "Hunter2." + String(repeating: "x", count: 92)

    /// Answers that quote the token: in values, ids and kinds, and as hosts, which lose their case.
    private static let echoes: [(headers: String, body: String)] = [
        ("", #"[{"type":"physical","id":"1","name":"x","price":{"amount":"\#(token)","currency":"EUR"}}]"#),
        ("", #"[{"type":"\#(token)","id":"1"}]"#), ("", #"[{"type":"Bearer \#(token)"}]"#),
        ("", #"[{"id":1,"\#(token)":1,"\#(token)":1}]"#), ("X-Total: \(token)\r\n", "[]"),
        (
            "",
            "["
                + Array(
                    repeating:
                        #"{"type":"physical","id":"\#(token)","name":"x","price":{"amount":1,"currency":"EUR"}}"#,
                    count: 2
                ).joined(separator: ",") + "]"
        ),
        ("Link: <http://\(token).example/>; rel=next\r\n", "[]"),
    ]

    @Test(
        arguments: echoes.indices,
        ["single", "link", "page, total: { header: X-Total }"])
    func `what the upstream quotes of its credential is taken out of the failure`(index: Int, pagination: String)
        async throws
    {
        let echo = Self.echoes[index]
        try await withClient(against: answering { $0.respond(headers: echo.headers, body: echo.body) }) {
            client, upstream async throws in
            let provider = try provider(
                client, upstream.url,
                "pagination: { type: \(pagination) }, auth: { type: bearer, token: \(Self.token) }")
            let failure = try await provider.failure()
            var text = ""
            dump(failure, to: &text)
            #expect(!"\(text) \(String(describing: failure))".lowercased().contains("hunter2"))
        }
    }

    @Test(
        arguments: [
            #"headers: { X-Tenant: "${SECRET}" }"#, #"headers: { Authorization: "Bearer Hunter2/+" }"#,
            #"headers: { X-Tenant: "Bearer ${SECRET}" }"#, #"parameters: { tenant: "${SECRET}" }"#,
            #"parameters: { api_key: "Hunter2/+" }"#,
        ], ["Hunter2/+", "hunter2%2F%2B"])
    func `so is what stands in headers and parameters, when it comes from the environment or its name tells`(
        field: String, echo: String
    ) async throws {
        let script = answering { $0.respond(body: #"[{"id":"1","\#(echo)":1,"\#(echo)":1}]"#) }
        try await withClient(against: script) { client, upstream async throws in
            let yaml = "{ type: http, timeout: 20s, request: { base_url: \"\(upstream.url)\", \(field) } }"
            let provider = try makeProvider(
                yaml, resources: resources(client), environment: ["SECRET": "Hunter2/+"]
            ).provider
            let failure = try #require(try await provider.failure())
            #expect("\(failure)".contains("<redacted>"))
            #expect(!"\(failure)".lowercased().contains("hunter2"))
        }
    }

    @Test func `what is taken out is shown as that`() async throws {
        let script = answering { $0.respond(status: "302 Found", headers: "Location: http://Hunter2.example/\r\n") }
        try await withClient(against: script) { client, upstream async throws in
            let provider = try provider(client, upstream.url, "auth: { type: header, name: X-Key, value: Hunter2 }")
            #expect(
                try await provider.failure()
                    == .malformed(
                        detail: "\(upstream.url): redirected to a forbidden place "
                            + "(to http://<redacted>.example, which is not among redirect_origins)"))
        }
    }

    @Test
    func `what the upstream quotes of its credential is taken out of what is logged of items that are left out`()
        async throws
    {
        let body = makeBody(count: 1).dropLast() + Array(#",{"type":"physical","id":"1","name":["hunter2"]},7]"#.utf8)
        let bad = #"{"type":"physical","id":"1","name":"x","price":{"amount":"Hunter2!","currency":"EUR"}}"#
        let script = answering { $0.respond(body: Array("[\(bad),".utf8) + body.dropFirst()) }
        try await withClient(against: script) { client, upstream async throws in
            let provider = try provider(
                client, upstream.url,
                "decode: { on_bad_item: skip }, auth: { type: header, name: X-Key, value: hunter2 }")
            #expect(try await provider.ask().snapshot.products.count == 1)
            #expect(log.seenLines.map { $0.metadata["items"] } == ["3"])
            let first = log.seenLines.first?.metadata["first"]
            #expect(first == #"[0].price.amount: expected a number, found string "<redacted>!"; its id is "1""#)
        }
    }
}
