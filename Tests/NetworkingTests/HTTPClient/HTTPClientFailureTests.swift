internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(2)))
struct HTTPClientFailureTests {
    /// An upstream's misbehaviour, and the error it has to end in.
    struct Misbehaviour: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let token: String
        let script: @Sendable (UpstreamConnection) -> Void

        init(_ name: String, _ token: String, _ script: @escaping @Sendable (UpstreamConnection) -> Void) {
            testDescription = name
            self.token = token
            self.script = script
        }

        /// After the request has been read.
        static func answer(_ name: String, _ token: String, _ answer: @escaping @Sendable (UpstreamConnection) -> Void)
            -> Self
        {
            Self(name, token) { connection in
                if connection.readRequest() != nil { answer(connection) }
            }
        }
    }

    private static let limit = 1000

    static let misbehaviours: [Misbehaviour] = [
        .answer("closes without a word", "reset") { _ in },
        .answer("resets instead of answering", "reset") { $0.resetAtEnd() },
        Misbehaviour("resets at once", "reset") { $0.resetAtEnd() },
        .answer("resets within the body", "reset") { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            connection.resetAtEnd()
        },
        .answer("hangs before the head", "timeout") { $0.waitForClose() },
        .answer("hangs within the head", "timeout") { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Le")
            connection.waitForClose()
        },
        .answer("hangs within the body", "timeout") { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            connection.waitForClose()
        },
        .answer("cuts the head off", "truncated") { $0.write("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Le") },
        .answer("cuts the status line off", "reset") { $0.write("HTTP/1.1 20") },
        .answer("cuts the body off", "truncated") { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        },
        .answer("cuts the chunks off", "truncated") { connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n")
        },
        .answer("announces too much", "body-too-large") { connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
            connection.waitForClose()
        },
        .answer("sends too much without announcing it", "body-too-large") { connection in
            connection.write("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1001))
            connection.waitForClose()
        },
        .answer("sends too much in chunks", "body-too-large") { connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<3 { connection.write("200\r\n" + String(repeating: "x", count: 512) + "\r\n") }
            connection.waitForClose()
        },
        .answer("sends a gzip bomb", "body-too-large") { connection in
            let bomb = Gzip.zeros(100_000)
            precondition(bomb.count < HTTPClientFailureTests.limit)
            connection.respond(headers: "Content-Encoding: gzip\r\n", body: bomb)
            connection.waitForClose()
        },
        .answer("sends broken gzip", "protocol") { connection in
            connection.respond(headers: "Content-Encoding: gzip\r\n", body: "this is no gzip")
        },
        .answer("sends truncated gzip", "truncated") { connection in
            connection.respond(headers: "Content-Encoding: gzip\r\n", body: Gzip.stored([1, 2, 3]).dropLast(4))
        },
        .answer("sends more than gzip", "protocol") { connection in
            connection.respond(headers: "Content-Encoding: gzip\r\n", body: Gzip.stored([1, 2, 3]) + [4, 5, 6])
        },
        .answer("packs twice", "protocol") { connection in
            connection.respond(headers: "Content-Encoding: gzip, gzip\r\n", body: Gzip.stored(Gzip.stored([1, 2, 3])))
        },
        .answer("packs in another way", "protocol") { connection in
            connection.respond(headers: "Content-Encoding: br\r\n", body: [1, 2, 3])
        },
        .answer("answers garbage", "protocol") { $0.write("SSH-2.0-OpenSSH_9.2\r\nhello\r\n\r\n") },
        .answer("breaks the chunk framing", "protocol") { connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n")
            connection.waitForClose()
        },
        .answer("sends headers without end", "protocol") { connection in
            connection.write("HTTP/1.1 200 OK\r\n")
            for number in 0..<400 { connection.write("X-\(number): " + String(repeating: "x", count: 1000) + "\r\n") }
            connection.waitForClose()
        },
    ]

    @Test(arguments: misbehaviours)
    func `an upstream that`(_ misbehaviour: Misbehaviour) async throws {
        try await withClient(against: misbehaviour.script) { client, upstream in
            // The time only ends the exchanges that hang; the others are over long before, on a slow machine too.
            let timeout: Duration = misbehaviour.token == "timeout" ? .milliseconds(300) : .seconds(20)
            let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: timeout, body: Self.limit)
            let request = HTTPClientRequest(url: upstream.url, limits: limits)
            let token = try await errorToken(client, request)
            #expect(token == misbehaviour.token)
        }
    }

    @Test func `a port where nobody listens refuses`() async throws {
        let port = LoopbackSocket.closedPort()
        try await withClient { client in
            let request = HTTPClientRequest(url: "http://user:word@127.0.0.1:\(port)/a?key=hidden", limits: wide)
            let error = await #expect(throws: HTTPClientError.self) { _ = try await client.send(request) }
            guard case .refused(let failure) = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(failure.place == "http://127.0.0.1:\(port)/a")
            #expect(error?.description.contains("refused") == true)
            #expect(error?.description.contains("word") == false)
        }
    }

    @Test func `a name that cannot exist does not resolve`() async throws {
        let name = String(repeating: "x", count: 64) + ".invalid"
        try await withClient { client in
            let token = try await errorToken(client, HTTPClientRequest(url: "http://\(name)/", limits: wide))
            #expect(token == "resolve")
        }
    }

    @Test func `a port that does not answer costs the connect timeout, not the whole`() async throws {
        let listener = UnansweringListener()
        try await withClient { client in
            let limits = HTTPClientLimits(connectTimeout: .milliseconds(200), timeout: .seconds(60), body: 1)
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(listener.port)/", limits: limits)
            let took = try await ContinuousClock().measure {
                let token = try await errorToken(client, request)
                #expect(token == "connect-timeout")
            }
            #expect(took >= .milliseconds(150))
            #expect(took < .seconds(20))
        }
    }

    @Test func `a steady trickle does not outlive the timeout`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            connection.trickle(every: .milliseconds(20))
        }
        try await withClient(against: script) { client, upstream in
            let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .milliseconds(400), body: 1 << 20)
            let took = try await ContinuousClock().measure {
                let token = try await errorToken(client, HTTPClientRequest(url: upstream.url, limits: limits))
                #expect(token == "timeout")
            }
            #expect(took >= .milliseconds(350))
            #expect(took < .seconds(20))
        }
    }

    @Test func `TLS against a server that speaks none fails as TLS`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { $0.write("HTTP/1.1 400 Bad Request\r\n\r\n") }
        try await withClient(against: script) { client, upstream in
            let request = HTTPClientRequest(url: "https://127.0.0.1:\(upstream.port)/", limits: wide)
            let token = try await errorToken(client, request)
            #expect(token == "tls")
        }
    }

    @Test(arguments: [
        HTTPClientRequest(url: "http://127.0.0.1:1/a b"),
        HTTPClientRequest(url: "http://127.0.0.1:1/\u{0}"),
        HTTPClientRequest(url: "ftp://127.0.0.1:1/"),
        HTTPClientRequest(url: "nonsense://"),
        HTTPClientRequest(method: "GET /x", url: "http://127.0.0.1:1/"),
        HTTPClientRequest(url: "http://127.0.0.1:1/", headers: [HTTPHeader("X", "a\r\nY: b")]),
        HTTPClientRequest(url: "http://127.0.0.1:1/", headers: [HTTPHeader("X Y", "a")]),
    ])
    func `what cannot be sent is refused before it is`(_ request: HTTPClientRequest) async throws {
        try await withClient { client in
            let token = try await errorToken(client, request)
            #expect(token == "other")
        }
    }
}
