internal import TestSupport
internal import Testing

@testable internal import Networking

/// Where a request is redirected to, and with which headers.
@Suite(.timeLimit(.minutes(1)))
struct CredentialRedirectTests {
    private let secret = HTTPHeader("X-Shop-Key", sensitive: "hunter2")

    private func request(_ url: String, headers: [HTTPHeader]) -> HTTPClientRequest {
        HTTPClientRequest(url: url, headers: headers, limits: wide)
    }

    /// Runs a test with an upstream that redirects to another server.
    private func redirecting(
        _ body: (HTTPClient, _ upstream: ScriptedUpstream, _ other: ScriptedUpstream) async throws -> Void
    ) async throws {
        let other = ScriptedUpstream(answering { $0.respond(body: "fine") })
        defer { other.stop() }
        let script = answering { [url = other.url] in
            $0.respond(status: "302 Found", headers: "Location: \(url)take?key=1\r\n")
        }
        try await withClient(against: script) { try await body($0, $1, other) }
    }

    @Test(arguments: [302, 307])
    func `within the origin it is followed, by a path and by a whole URL, secret in hand`(status: Int) async throws {
        let script = answering { head, connection in
            let host = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
            let location = ["GET / ": "a/b?c=d", "GET /a/b?c=d ": "http://\(host)/end"]
            let found = location.first { head.hasPrefix($0.key) }
            if let found {
                connection.respond(status: "\(status) X", headers: "Location: \(found.value)\r\n")
            } else {
                connection.respond(body: "end")
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let response = try await client.send(request(upstream.url, headers: [secret]))
            #expect(response.body == Array("end".utf8))
            #expect(upstream.targets == ["/", "/a/b?c=d", "/end"])
            #expect(upstream.requestHeads.allSatisfy { $0.contains("X-Shop-Key: hunter2\r\n") })
        }
    }

    @Test func `another server never sees the secret, nor is it asked at all`() async throws {
        try await redirecting { client, upstream, other async throws in
            do {
                _ = try await client.send(request(upstream.url, headers: [secret]))
                Issue.record("the redirect leads away")
            } catch let error as HTTPClientError {
                #expect(
                    "\(error)" == "\(upstream.url): redirected to a forbidden place "
                        + "(to http://127.0.0.1:\(other.port), which is not among redirect_origins)")
                #expect(error.token == "redirected-away")
            }
            #expect(other.requestHeads.isEmpty)
        }
    }

    @Test(arguments: [[], [HTTPHeader("X-Lang", "en")], [HTTPHeader("If-None-Match", "\"1\"")]])
    func `another server is not asked without a secret either`(headers: [HTTPHeader]) async throws {
        try await redirecting { client, upstream, other async throws in
            #expect(try await errorToken(client, request(upstream.url, headers: headers)) == "redirected-away")
            #expect(upstream.requestHeads.count == 1)
            #expect(other.requestHeads.isEmpty)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/", "http://localhost/", "http://169.254.169.254/latest/meta-data", "http://[::1]/",
        "http://[fe80::1]/", "https://shop.example/", "http://shop.example:81/", "http://shop.example@evil.example/",
        "http://shop.example.evil.example/", "//evil.example/", "http:\\\\evil.example/", "HTTP://EVIL.example",
    ])
    func `no other scheme, host or port is followed`(location: String) throws {
        let request = request("http://shop.example/a", headers: [])
        let trusted: Set = [try #require(WebAddress(request.url)).origin]
        let error = #expect(throws: HTTPClientError.self) {
            try HTTPClient.target(location, of: request, within: trusted)
        }
        #expect(error?.token == "redirected-away")
    }

    @Test func `another server that the template names sees all headers`() async throws {
        try await redirecting { client, upstream, other async throws in
            let template = ResolvedRequestTemplateTests.PartialTemplate(
                baseURL: upstream.url, headers: [secret], redirectOrigins: ["http://127.0.0.1:\(other.port)"])
            let response = try await client.send(ResolvedRequestTemplate(template).request(limits: wide))
            #expect(response.body == Array("fine".utf8))
            #expect(other.requestHeads.allSatisfy { $0.contains("X-Shop-Key: hunter2\r\n") })
        }
    }

    @Test func `no redirect leads from https to http, not even to an origin that is named`() throws {
        let request = request("https://shop.example/a", headers: [])
        let named = ["http://shop.example", "https://shop.example", "https://cdn.example"]
        let trusted = Set(named.compactMap { WebAddress($0)?.origin })
        let error = #expect(throws: HTTPClientError.self) {
            try HTTPClient.target("http://shop.example/b", of: request, within: trusted)
        }
        #expect(error?.token == "redirected-away")
        #expect(
            try HTTPClient.target("//cdn.example/b", of: request, within: trusted).text == "https://cdn.example/b")
        #expect(try HTTPClient.target("/b", of: request, within: trusted).text == "https://shop.example/b")
    }

    @Test func `a redirect to no URL is an error, one without a target a response`() async throws {
        let script = answering { head, connection in
            let isOdd = head.hasPrefix("GET /odd ")
            connection.respond(status: "301 X", headers: isOdd ? "Location: file:///etc/passwd\r\n" : "")
        }
        try await withClient(against: script) { client, upstream async throws in
            #expect(try await errorToken(client, request(upstream.url + "odd", headers: [secret])) == "redirected-away")
            #expect(try await client.send(request(upstream.url, headers: [secret])).status == 301)
        }
    }

    @Test(arguments: [(303, "GET"), (307, "POST")])
    func `a redirect keeps the method, but 303 leads to a GET`(status: Int, method: String) async throws {
        let script = answering { head, connection in
            let isFirst = head.hasPrefix("POST / ")
            connection.respond(status: isFirst ? "\(status) X" : "200 OK", headers: "Location: /end\r\n")
        }
        try await withClient(against: script) { client, upstream async throws in
            let request = HTTPClientRequest(method: "POST", url: upstream.url, limits: wide)
            #expect(try await client.send(request).status == 200)
            #expect(upstream.requestHeads.last?.hasPrefix("\(method) /end ") == true)
        }
    }

    @Test func `a failure behind a redirect names the place that it leads to`() async throws {
        let script = answering { head, connection in
            if head.hasPrefix("GET / ") {
                connection.respond(status: "302 Found", headers: "Location: /end\r\n")
            } else {
                connection.respond(headers: "Content-Encoding: gzip\r\n", body: "damaged")
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let error = await #expect(throws: HTTPClientError.self) {
                try await client.send(request(upstream.url, headers: []))
            }
            #expect(error?.description.contains("/end: ") == true)
        }
    }

    @Test func `redirects without end end`() async throws {
        let script = answering { $0.respond(status: "302 Found", headers: "Location: /\r\n") }
        try await withClient(against: script) { client, upstream async throws in
            #expect(try await errorToken(client, request(upstream.url, headers: [secret])) == "too-many-redirects")
            #expect(upstream.requestHeads.count == HTTPClientRequest.maxRedirects + 1)
        }
    }

    @Test func `all redirects of a request share one timeout, which none of them takes up alone`() async throws {
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
}
