internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(2)))
struct HTTPClientTests {
    @Test(arguments: [200, 204, 404, 500, 503])
    func `gives back status, headers and body of whatever the upstream answers`(status: Int) async throws {
        let body = status == 204 ? "" : "[\(status)]"
        let response = try await response {
            $0.respond(status: "\(status) X", headers: "X-Two: a\r\nx-two: b\r\n", body: body)
        }
        #expect(response.status == status)
        #expect(response.body == Array(body.utf8))
        #expect(response.headers["X-TWO"] == "a, b")
        #expect(response.headers["x-three"] == nil)
    }

    @Test func `sends method, path, headers and its own name`() async throws {
        try await withClient(against: answering { $0.respond() }) { client, upstream in
            var request = HTTPClientRequest(method: "POST", url: upstream.url + "a?b=c", limits: wide)
            request.headers = [HTTPHeader("X-Key", "secret"), HTTPHeader("X-Empty", ""), HTTPHeader("Accept", "a/b")]
            _ = try await client.send(request)
            let lines = try #require(upstream.requestHeads.first).split(separator: "\r\n")
            #expect(lines.first == "POST /a?b=c HTTP/1.1")
            #expect(lines.contains("X-Key: secret"))
            #expect(lines.contains("X-Empty:"))
            #expect(lines.contains("Accept: a/b"))
            #expect(lines.contains("Accept-Encoding: gzip"))
            #expect(lines.contains("User-Agent: larder/1.2.3"))
            #expect(lines.contains("Content-Length: 0"))
        }
    }

    @Test func `keeps the connection for the next request`() async throws {
        try await withClient(against: answering { $0.respond(body: "ok") }) { client, upstream in
            for _ in 0..<20 { _ = try await client.get(upstream.url) }
            #expect(upstream.requestHeads.count == 20)
            #expect(upstream.acceptedCount == 1)
        }
    }

    @Test func `a kept connection that the upstream has closed meanwhile costs no request`() async throws {
        let once: @Sendable (UpstreamConnection) -> Void = { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(body: "ok")
        }
        try await withClient(against: once) { client, upstream in
            for _ in 0..<10 {
                let response = try await client.get(upstream.url)
                #expect(response.body == Array("ok".utf8))
            }
            #expect(upstream.acceptedCount == 10)
        }
    }

    @Test func `takes a body in chunks and leaves its trailers out of the headers`() async throws {
        let response = try await response { connection in
            connection.write("HTTP/1.1 103 Early Hints\r\nLink: </early>\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Long: a\r\n  b\r\n\r\n")
            connection.write("3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Trailer: late\r\n\r\n")
        }
        #expect(response.body == Array("abcdefg".utf8))
        #expect(response.headers["X-Long"] == "a b")
        #expect(response.headers["X-Trailer"] == nil)
        #expect(response.headers["Link"] == nil)
    }

    @Test func `a body as large as the limit passes, byte for byte`() async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let response = try await response({ $0.limits.body = body.count }, answer: { $0.respond(body: body) })
        #expect(response.body == body)
    }

    @Test func `follows redirects to the last response, and shows the first where told not to`() async throws {
        let script = answering { head, connection in
            if head.hasPrefix("GET /end ") {
                connection.respond(headers: "X-Here: yes\r\n", body: "end")
            } else {
                connection.respond(status: "302 Found", headers: "Location: /end\r\nX-There: yes\r\n", body: "go on")
            }
        }
        try await withClient(against: script) { client, upstream in
            var request = HTTPClientRequest(url: upstream.url, limits: wide)
            let followed = try await client.send(request)
            #expect(followed.status == 200)
            #expect(followed.body == Array("end".utf8))
            #expect(followed.headers["X-There"] == nil)
            request.followsRedirects = false
            let first = try await client.send(request)
            #expect(first.status == 302)
            #expect(first.body == Array("go on".utf8))
        }
    }

    @Test(arguments: [10, 500_000])
    func `a discarded body ends well, over the limit too`(size: Int) async throws {
        let response = try await response { request in
            request.limits.body = 1000
            request.discardsBody = true
        } answer: {
            $0.respond(status: "207 Multi", body: [UInt8](repeating: 7, count: size))
        }
        #expect(response.status == 207)
        #expect(response.body.isEmpty)
    }

    @Test(arguments: [1, 2])
    func `200 requests at once all get their own answer`(loops: Int) async throws {
        let upstream = ScriptedUpstream { connection in
            while let head = connection.readRequest() {
                connection.respond(body: String(head.split(separator: " ")[1]))
            }
        }
        defer { upstream.stop() }
        try await withClient(loops: loops) { client in
            try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
                for number in 0..<200 {
                    let request = HTTPClientRequest(url: upstream.url + "\(number)", limits: wide)
                    group.addTask { (number, try await client.send(request).body) }
                }
                var answered = 0
                for try await (number, body) in group {
                    #expect(body == Array("/\(number)".utf8))
                    answered += 1
                }
                #expect(answered == 200)
            }
        }
    }
}
