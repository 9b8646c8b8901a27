internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import Networking

/// Connections on which bytes come that no request asked for.
@Suite(.timeLimit(.minutes(2)))
struct HTTPClientReuseTests {
    /// How an upstream answers the first request on its first connection, and what it sends beside.
    struct Leaving: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable (UpstreamConnection) -> Void

        init(_ name: String, _ answer: @escaping @Sendable (UpstreamConnection) -> Void) {
            testDescription = name
            self.answer = answer
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    private static let poison = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"
    /// Longer than one read of libcurl's, which is 16 KiB.
    private static let longPoison = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n" + poison

    static let leavings: [Leaving] = [
        Leaving("a second response 50 ms after the first") { connection in
            connection.write(head + "first")
            usleep(50_000)
            connection.write(poison)
        },
        Leaving("an idle 408, and closes") { connection in
            connection.write(head + "first")
            usleep(50_000)
            connection.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        },
        Leaving("a single line end") { connection in
            connection.write(head + "first")
            usleep(50_000)
            connection.write("\r\n")
        },
        Leaving("more body than announced") { $0.write(head + "first" + poison) },
        Leaving("much more body than announced") { $0.write(head + "first" + longPoison) },
        Leaving("a body after an empty one") { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + poison) },
        Leaving("a body after a 204") { $0.write("HTTP/1.1 204 No Content\r\n\r\n" + poison) },
        Leaving("a body after a 304") { $0.write("HTTP/1.1 304 Not Modified\r\n\r\n" + longPoison) },
        Leaving("more after the last chunk") { connection in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n" + poison)
        },
        Leaving("more after the trailers of the last chunk") { connection in
            connection.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\nX: y\r\n\r\n" + longPoison)
        },
    ]

    @Test(arguments: leavings)
    func `what an upstream sends beside its response is no response to the next request`(_ leaving: Leaving)
        async throws
    {
        let hasLeft = Observed(false)
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            if connection.index == 0 {
                guard connection.readRequest() != nil else { return }
                leaving.answer(connection)
                hasLeft.update { $0 = true }
                return connection.waitForClose()
            }
            while connection.readRequest() != nil { connection.respond(body: "second") }
        }
        try await withClient(against: script) { client, upstream in
            let first = try await client.get(upstream.url)
            #expect(first.body == Array("first".utf8) || first.body.isEmpty)
            await hasLeft.wait { $0 }
            for _ in 0..<3 {
                let next = try await client.get(upstream.url)
                #expect(next.body == Array("second".utf8))
            }
            #expect(upstream.acceptedCount == 2)
            await upstream.wait(for: .closedByClient(connection: 0))
        }
    }

    @Test func `the body of a HEAD's response is none`() async throws {
        let script = answering { head, connection in
            connection.write(Self.head + (head.hasPrefix("HEAD") ? Self.poison : "right"))
        }
        try await withClient(against: script) { client, upstream in
            _ = try await client.send(HTTPClientRequest(method: "HEAD", url: upstream.url, limits: wide))
            let next = try await client.get(upstream.url)
            #expect(next.body == Array("right".utf8))
        }
    }

    @Test func `a request with a body is sent whole on the fresh connection`() async throws {
        let hasLeft = Observed(false)
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            guard connection.readRequest() != nil, let body = connection.readBytes(100_000) else { return }
            connection.respond(body: body)
            guard connection.index == 0 else { return }
            usleep(50_000)
            connection.write(Self.poison)
            hasLeft.update { $0 = true }
            connection.waitForClose()
        }
        try await withClient(against: script) { client, upstream in
            for number in UInt8(1)...2 {
                let body = [UInt8](repeating: number, count: 100_000)
                let response = try await client.send(
                    HTTPClientRequest(method: "POST", url: upstream.url, body: body, limits: wide))
                #expect(response.body == body)
                await hasLeft.wait { $0 }
            }
            #expect(upstream.acceptedCount == 2)
        }
    }
}
