import HTTPServer
import Testing

@Suite struct HTTPServerRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var request: String
        var status: Int

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "a body", request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", status: 413),
        Case(name: "a body on GET", request: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", status: 413),
        Case(
            name: "a body of an unknown method", request: "BREW / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
            status: 413),
        Case(
            name: "a chunked body",
            request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", status: 411
        ),
        Case(
            name: "an unknown coding", request: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: foo\r\n\r\n",
            status: 501),
        Case(
            name: "a coding on HTTP/1.0", request: "GET / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: foo\r\n\r\n",
            status: 400),
        Case(name: "HEAD with a body", request: "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", status: 400),
        Case(
            name: "two lengths",
            request: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\nab", status: 400),
        Case(name: "a signed length", request: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n\r\n", status: 400),
        Case(name: "no host", request: "GET / HTTP/1.1\r\n\r\n", status: 400),
        Case(name: "two hosts", request: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", status: 400),
        Case(name: "CONNECT", request: "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "a target without a slash", request: "GET foo HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "an asterisk with GET", request: "GET * HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "a space in the target", request: "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "a target beyond ASCII", request: "GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "HTTP/1.7", request: "GET / HTTP/1.7\r\nHost: a\r\n\r\n", status: 505),
    ]

    @Test("refuses without asking the handler, and closes", arguments: cases)
    func refuses(_ refused: Case) async throws {
        let asked = Counter()
        let handler = handler { _ in
            asked.increment()
            return HTTPResponse(status: .ok)
        }
        try await withServer(handler) { server, port in
            let (response, isClosed) = try await onThread {
                let client = try RawClient(port: port)
                try client.send(refused.request + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try client.receive(bodyless: refused.request.hasPrefix("HEAD"))
                return (response, try client.isClosedByServer())
            }
            #expect(response.status == refused.status)
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(response["Connection"] == "close")
            #expect(isClosed)
            #expect(asked.value == 0)
            #expect(await server.outstandingCount() == 0)
        }
    }

    /// Debian's patched libevent refuses this by itself; an unpatched one would read the body as the next request.
    @Test func libeventRefusesTransferEncodingWithContentLength() async throws {
        try await withServer(echo) { _, port in
            let status = try await onThread {
                let client = try RawClient(port: port)
                try client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
                return try client.receive().status
            }
            #expect(status == 400)
        }
        #expect(HTTPServer.libeventVersion.hasPrefix("2.1."))
    }

    @Test func refusesABodyBeyondTheLimitWithoutReadingIt() async throws {
        try await withServer(echo) { _, port in
            let status = try await onThread {
                let client = try RawClient(port: port)
                try client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000000\r\n\r\n")
                return try client.receive().status
            }
            #expect(status == 413)
        }
    }

    @Test func refusesAHeadBeyondTheLimit() async throws {
        try await withServer(echo) { _, port in
            let status = try await onThread {
                let client = try RawClient(port: port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20000))")
                return try client.receive().status
            }
            #expect(status == 400)
        }
    }

    @Test func servesAContentLengthOfZero() async throws {
        try await withServer(echo) { _, port in
            let status = try await onThread {
                try RawClient(port: port).get("/", headers: "Content-Length: 0\r\n").status
            }
            #expect(status == 200)
        }
    }
}
