import Concurrency
import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPServerAnsweringTests {
    @Test func `writes status line date length and fields`() async throws {
        try await withServer(echo) { _, port in
            let response = try await onThread { try RawClient(port: port).get("/abc") }
            #expect(response.statusLine == "HTTP/1.1 200 OK")
            #expect(response["Content-Type"] == "text/plain")
            #expect(response["Content-Length"] == "4")
            #expect(response["Connection"] == nil)
            let date = try #require(response["Date"])
            let form = try Regex(#"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT"#)
            #expect(date.wholeMatch(of: form) != nil)
        }
    }

    @Test func `hands over method fields query and peer`() async throws {
        let seen = Mutex<HTTPRequest?>(nil)
        let handler = handler { request in
            seen.withLock { $0 = request }
            return HTTPResponse(status: .noContent)
        }
        try await withServer(handler) { _, port in
            _ = try await onThread {
                try RawClient(port: port).get("/a%20b?x=1&y=%41", headers: "X-One: 1\r\nx-one: 2\r\nEmpty:\r\n")
            }
        }
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == .get)
        #expect(try request.path == "/a b")
        #expect(try request.queryItems == [HTTPQueryItem(name: "x", value: "1"), HTTPQueryItem(name: "y", value: "A")])
        #expect(request.header("X-ONE") == "1, 2")
        #expect(request.header("empty") == "")
        #expect(request.header("absent") == nil)
        #expect(request.peer == "127.0.0.1")
        #expect(request.headers.map(\.name) == ["Host", "X-One", "x-one", "Empty"])
    }

    @Test(arguments: [HTTPStatus.noContent, .notModified])
    func `sends neither body nor length with`(status: HTTPStatus) async throws {
        let handler = handler { request in
            guard request.hasRawPath("/none".utf8) else { return try await echo.response(to: request) }
            return HTTPResponse(status: status, headers: ["ETag": "\"1\""], body: HTTPBody(text: "never"))
        }
        try await withServer(handler) { _, port in
            let (none, next) = try await withClient(port) { client in
                (try client.get("/none"), try client.get("/next"))
            }
            #expect(none.status == status.code)
            #expect(none["Content-Length"] == nil)
            #expect(none["ETag"] == "\"1\"")
            #expect(next.text == "/next")
        }
    }

    @Test func `keeps an absolute form connection and strips its authority`() async throws {
        try await withServer(echo) { _, port in
            let texts = try await withClient(port) { client in
                return try ["http://shop.example/a?b=c", "http://shop.example", "http://shop.example?b", "/last"].map {
                    try client.get($0).text
                }
            }
            #expect(texts == ["/a?b=c", "/", "/?b", "/last"])
        }
    }

    @Test(arguments: ["Connection: close", "connection: foo, Close", "Connection: TE\r\nConnection: close"])
    func `closes when the client asks for it`(field: String) async throws {
        try await withServer(echo) { _, port in
            let (response, isClosed) = try await withClient(port) { client in
                (try client.get("/", headers: field + "\r\n"), try client.isClosedByServer())
            }
            #expect(response["Connection"] == "close")
            #expect(isClosed)
        }
    }

    @Test func `keeps an HTTP 10 connection only when asked`() async throws {
        try await withServer(echo) { _, port in
            let (kept, closed, isClosed) = try await withClient(port) { client in
                try client.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let kept = try client.receive()
                try client.send("GET /2 HTTP/1.0\r\n\r\n")
                return (kept, try client.receive(), try client.isClosedByServer())
            }
            #expect(kept["Connection"] == "keep-alive")
            #expect(closed.text == "/2")
            #expect(closed["Connection"] == "close")
            #expect(isClosed)
        }
    }

    @Test(arguments: Manner.allCases)
    func `answers a thrown error by its kind and reports only the unexpected`(_ manner: Manner) async throws {
        struct Secret: Error {}
        let errors = Observed(0)
        let handler = manner.handler { request in
            if request.hasRawPath("/known".utf8) { throw HTTPRequestError.malformedPath("%") }
            throw Secret()
        }
        try await withServer(options: manner.options, errors: errors, handler) { _, port in
            let (known, unknown) = try await withClient(port) { client in
                (try client.get("/known"), try client.get("/unknown"))
            }
            #expect(known.status == 400)
            #expect(unknown.status == 500)
            #expect(unknown["Content-Type"] == "application/problem+json")
            #expect(!unknown.text.contains("Secret"))
            #expect(errors.value == 1)
        }
    }

    @Test func `resumes on the loop however the handler suspends`() async throws {
        let handler = handler { request in
            await Task.yield()
            _ = await Task.detached { 1 }.value
            let text = await withCheckedContinuation { continuation in
                Task.detached { continuation.resume(returning: request.target) }
            }
            return HTTPResponse(status: .ok, body: HTTPBody(text: text))
        }
        try await withServer(loops: 2, handler) { _, port in
            try await withThrowingTaskGroup { group in
                for client in 0..<8 {
                    group.addTask {
                        let texts = try await onThread {
                            let connection = try RawClient(port: port)
                            return try (0..<50).map { try connection.get("/\(client)/\($0)").text }
                        }
                        #expect(texts == (0..<50).map { "/\(client)/\($0)" })
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
