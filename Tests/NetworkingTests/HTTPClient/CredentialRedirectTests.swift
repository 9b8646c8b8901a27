internal import TestSupport
internal import Testing

@testable internal import Networking

/// Where a request may be redirected that carries a secret.
@Suite(.timeLimit(.minutes(1)))
struct CredentialRedirectTests {
    private let secret = HTTPHeader("X-Shop-Key", sensitive: "hunter2")

    private func request(_ url: String, headers: [HTTPHeader]) -> HTTPClientRequest {
        HTTPClientRequest(url: url, headers: headers, limits: wide)
    }

    @Test("within the origin it is followed, by a path and by a whole URL, secret in hand", arguments: [302, 307])
    func sameOrigin(status: Int) async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            while let head = connection.readRequest() {
                let host = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
                let location = ["GET / ": "a/b?c=d", "GET /a/b?c=d ": "http://\(host)/end"]
                let found = location.first { head.hasPrefix($0.key) }
                if let found {
                    connection.respond(status: "\(status) X", headers: "Location: \(found.value)\r\n")
                } else {
                    connection.respond(body: "end")
                }
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let response = try await client.send(request(upstream.url, headers: [secret]))
            #expect(response.body == Array("end".utf8))
            #expect(upstream.targets == ["/", "/a/b?c=d", "/end"])
            #expect(upstream.requestHeads.allSatisfy { $0.contains("X-Shop-Key: hunter2\r\n") })
        }
    }

    @Test("another server never sees the secret, nor is it asked at all")
    func otherOrigin() async throws {
        let other = ScriptedUpstream(answering { $0.respond(body: "mine now") })
        defer { other.stop() }
        let script = answering { [url = other.url] in
            $0.respond(status: "302 Found", headers: "Location: \(url)take?key=1\r\n")
        }
        try await withClient(against: script) { client, upstream async throws in
            do {
                _ = try await client.send(request(upstream.url, headers: [secret]))
                Issue.record("the redirect leads away")
            } catch let error as HTTPClientError {
                #expect(
                    "\(error)" == "\(upstream.url): redirected to where the credentials must not go "
                        + "(to http://127.0.0.1:\(other.port))")
                #expect(error.token == "redirected-away")
                #expect(!error.isConnectionFailure)
            }
            #expect(other.requestHeads.isEmpty)
            let harmless = try await client.send(request(upstream.url, headers: [HTTPHeader("X-Lang", "en")]))
            #expect(harmless.body == Array("mine now".utf8))
        }
    }

    @Test("a redirect to no URL is an error, one without a target a response")
    func oddTargets() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            while let head = connection.readRequest() {
                let isOdd = head.hasPrefix("GET /odd ")
                connection.respond(status: "301 X", headers: isOdd ? "Location: file:///etc/passwd\r\n" : "")
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            #expect(
                try await errorToken(client, request(upstream.url + "odd", headers: [secret])) == "redirected-away")
            #expect(try await client.send(request(upstream.url, headers: [secret])).status == 301)
        }
    }

    @Test("redirects without end end")
    func endless() async throws {
        let script = answering { $0.respond(status: "302 Found", headers: "Location: /\r\n") }
        try await withClient(against: script) { client, upstream async throws in
            #expect(try await errorToken(client, request(upstream.url, headers: [secret])) == "too-many-redirects")
            #expect(upstream.requestHeads.count == HTTPClientRequest.maxRedirects + 1)
        }
    }

    @Test("all redirects of a request share one timeout, which none of them takes up alone")
    func sharedTimeout() async throws {
        let script = answering {
            $0.trickle(
                "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", pieces: 1, every: .milliseconds(300))
        }
        try await withClient(against: script) { client, upstream async throws in
            var hurried = request(upstream.url, headers: [secret])
            hurried.limits.timeout = .seconds(1)
            #expect(try await errorToken(client, hurried) == "timeout")
            #expect((1...HTTPClientRequest.maxRedirects).contains(upstream.requestHeads.count))
        }
    }

    @Test("told not to follow, it gives the redirect")
    func notFollowed() async throws {
        let script = answering { $0.respond(status: "302 Found", headers: "Location: /\r\n") }
        try await withClient(against: script) { client, upstream async throws in
            var request = request(upstream.url, headers: [secret])
            request.followsRedirects = false
            #expect(try await client.send(request).status == 302)
            #expect(upstream.requestHeads.count == 1)
        }
    }
}
