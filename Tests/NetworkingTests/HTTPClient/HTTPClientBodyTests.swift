internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(2)))
struct HTTPClientBodyTests {
    /// Answers with the body it was sent.
    private static let echo = { @Sendable (connection: UpstreamConnection) in
        while let head = connection.readRequest() {
            let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            guard let length = line.flatMap({ Int($0.dropFirst("Content-Length: ".count)) }),
                let body = connection.readBytes(length)
            else { return }
            connection.respond(body: body)
        }
    }

    @Test(arguments: [1, 1000, 130_000, 3_000_000])
    func `a body arrives whole, and nobody is asked before`(size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await withClient(against: Self.echo) { client, upstream in
            let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20))
            for _ in 0..<2 {
                let response = try await client.send(
                    HTTPClientRequest(
                        method: "POST", url: upstream.url, headers: [HTTPHeader("Content-Type", "application/json")],
                        body: body, limits: limits))
                #expect(response.body == body)
            }
            #expect(upstream.acceptedCount == 1)
            let head = try #require(upstream.requestHeads.first)
            #expect(head.hasPrefix("POST / HTTP/1.1\r\n"))
            #expect(head.contains("\r\nContent-Type: application/json\r\n"))
            #expect(!head.contains("Expect"))
        }
    }

    @Test(arguments: ["PUT", "PATCH", "GET", "HEAD"])
    func `other methods have bodies too, but for those that have none`(method: String) async throws {
        try await withClient(against: Self.echo) { client, upstream in
            let request = HTTPClientRequest(method: method, url: upstream.url, body: [1, 2], limits: wide)
            let isSent = method.hasPrefix("P")
            let token = try await errorToken(client, request)
            #expect(token == (isSent ? nil : "other"))
            #expect(upstream.requestHeads.count == (isSent ? 1 : 0))
        }
    }

    @Test func `a request with a body is not redirected`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(status: "307 X", headers: "Location: /b\r\n")
        }
        try await withClient(against: script) { client, upstream in
            for header in [HTTPHeader("X", "y"), HTTPHeader("X", sensitive: "y")] {
                let response = try await client.send(
                    HTTPClientRequest(method: "POST", url: upstream.url, headers: [header], body: [1], limits: wide))
                #expect(response.status == 307)
            }
            #expect(upstream.requestHeads.count == 2)
        }
    }
}
