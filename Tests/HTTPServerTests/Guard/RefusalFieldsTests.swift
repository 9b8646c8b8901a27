import HTTPServer
import TestSupport
import Testing

@Suite struct RefusalFieldsTests {
    /// Returns the properties of a refused request in response fields.
    private final class Witness: HTTPPortHandler {
        let gate: Gate?

        init(gate: Gate?) { self.gate = gate }

        func bodyLimit(of head: HTTPRequest) -> Int { 0 }

        func respond(to request: HTTPRequest) throws -> EventualResponse {
            .pending { [gate] in
                await gate?.pass()
                return HTTPResponse(status: .ok)
            }
        }

        func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
            var fields = HTTPHeaderBlock()
            fields.append("X-Number", number: Int(refused.serial.number))
            try? fields.append("X-Origin", refused.origin ?? "none")
            try? fields.append("X-Given", refused.givenID ?? "none")
            return fields
        }
    }

    private static let named = "oRIGIN: \t https://shop.example \r\nX-Request-Id: abc\r\n"

    @Test(
        arguments: [
            ("nonsense\r\n\r\n", 400, "none"), ("GET / HTTP/1.1\r\n\(named)\r\n", 400, "https://shop.example"),
            ("GET / HTTP/1.1\r\n\(named)Host: a b\r\n\r\n", 400, "https://shop.example"),
            ("GET / HTTP/3.0\r\nHost: a\r\n\(named)\r\n", 505, "https://shop.example"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n\(named)", 413, "none"),
            ("POST / HTTP/1.1\r\nHost: a\r\n\(named)Transfer-Encoding: chunked\r\n\r\n", 411, "https://shop.example"),
            ("GET /\(String(repeating: "x", count: 9000)) HTTP/1.1\r\n", 414, "none"),
            ("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 17000))\r\n", 431, "none"),
            (
                "GET / HTTP/1.1\r\nHost: a\r\n\(named)Cookie: \(String(repeating: "x", count: 20000))\r\n\r\n", 431,
                "https://shop.example"
            ),
            ("GET / HTTP/1.1\r\nOrigin:\r\nOrigin: x\r\n\0", 400, ""), ("GET / HTTP/1.1\r\nOrigin\0", 400, "none"),
        ] as [(String, Int, String)], Transport.allCases)
    func `every refusal has the handler's fields, with what was received of the request`(
        _ refused: (String, Int, String), over transport: Transport
    ) async throws {
        let (input, status, origin) = refused
        try await withServer(certificate: try transport.certificate, Witness(gate: nil)) { _, port in
            let responses = try await onThread {
                try (0..<2).map { _ in
                    let client = try RawClient(port: port, tls: transport.offer)
                    try client.send(input)
                    return try client.receive()
                }
            }
            for response in responses {
                #expect(response.status == status)
                #expect(response["X-Origin"] == origin)
                #expect(response["X-Given"] == (origin.hasPrefix("https") ? "abc" : "none"))
                #expect(response["Content-Type"] == "application/problem+json")
            }
            #expect(Set(responses.map { $0["X-Number"] }).count == 2)
        }
    }

    @Test(arguments: Transport.allCases)
    func `a head that comes in pieces, or stops, is told of as well`(over transport: Transport) async throws {
        var options = HTTPServerOptions()
        options.headDeadline = .milliseconds(400)
        let certificate = try transport.certificate
        try await withServer(options: options, certificate: certificate, Witness(gate: nil)) { _, port in
            for (rest, status) in [("Host: a b\r\n\r\n", 400), ("Host: a", 408)] {
                let response = try await withClient(port, tls: transport.offer) { client in
                    for piece in ["GET / HTTP/1.1\r\n\(Self.named)", rest] {
                        try client.send(piece)
                        for _ in 0..<20 { try BlockingPause.oneMillisecond() }
                    }
                    return try client.receive()
                }
                #expect(response.status == status)
                #expect(response["X-Origin"] == "https://shop.example")
                #expect(response["X-Given"] == "abc")
            }
        }
    }

    @Test func `a request that took too long or is one too many is told of too`() async throws {
        let gate = Gate()
        var options = HTTPServerOptions()
        options.maximumOutstanding = 1
        options.requestDeadline = .milliseconds(40)
        try await withServer(options: options, Witness(gate: gate)) { _, port in
            let responses = try await onThread {
                try (0..<2).map { _ in
                    let client = try RawClient(port: port)
                    try client.send("GET / HTTP/1.1\r\nHost: a\r\n\(Self.named)\r\n")
                    return try client.receive()
                }
            }
            gate.open()
            #expect(responses.map(\.status) == [504, 503])
            for response in responses {
                #expect(response["X-Origin"] == "https://shop.example")
                #expect(response["X-Given"] == "abc")
            }
        }
    }

    @Test func `a connection that is one too many has them without a request`() async throws {
        var options = HTTPServerOptions()
        options.maximumConnectionsPerAddress = 1
        try await withServer(options: options, Witness(gate: nil)) { _, port in
            let response = try await onThread {
                let kept = try RawClient(port: port)
                #expect(try kept.get("/").status == 200)
                return try RawClient(port: port).receive()
            }
            #expect(response.status == 429)
            #expect(response["X-Origin"] == "none")
        }
    }

    @Test(arguments: [
        ("POST", "Content-Length: 5", 405), ("PATCH", "Transfer-Encoding: chunked", 405),
        ("DELETE", "Content-Length: 5\r\nExpect: 100-continue", 405), ("PUT", "Content-Length: 5", 413),
        ("GET", "Content-Length: 5", 413), ("OPTIONS", "Transfer-Encoding: chunked", 411),
        ("BREW", "Content-Length: 5", 413), ("POST", "Content-Length: 5, 5", 400),
        ("POST", "Transfer-Encoding: gzip", 501), ("HEAD", "Content-Length: 5", 400),
    ])
    func `a body with a method that no resource has is 405 with Allow, and the connection ends`(
        method: String, framing: String, status: Int
    ) async throws {
        var options = HTTPServerOptions()
        options.methods = [.get, .head, .options, .put]
        try await withServer(options: options, echo) { server, port in
            let (response, isClosed) = try await withClient(port) { client in
                try client.send("\(method) / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n" + GuardCase.get("/smuggled"))
                return (try client.receive(bodyless: method == "HEAD"), try client.isClosedByServer())
            }
            #expect(response.status == status)
            #expect(response["Allow"] == (status == 405 ? "GET, HEAD, OPTIONS, PUT" : nil))
            #expect(isClosed)
            #expect(await server.refusalCounts()[.notAllowed] == (status == 405 ? 1 : nil))
        }
    }
}
