import Concurrency
import HTTPServer
import TestSupport
import Testing

/// Immediate responses take a shorter path than pending ones. Both must give the same results.
@Suite struct HTTPServerMannerTests {
    /// All that a handler sees of a request, one line each.
    private static func account(of request: HTTPRequest) -> String {
        let fields = request.headers.map { "\($0.name)=[\($0.value)]" }
        return (["\(request.method) \(request.target) \(request.rawPath) from \(request.peer)"] + fields)
            .joined(separator: "\n")
    }

    /// What a client sees of the answer, but for the time, and of what comes after it.
    private static func answer(_ port: UInt16, _ transport: Transport, _ input: String) throws -> String {
        let client = try RawClient(port: port, tls: transport.offer)
        try client.send(input)
        let answer = try client.receive(bodyless: input.hasPrefix("HEAD"))
        let fields = answer.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
        let end = answer["Connection"] == "close" ? "\(try client.isClosedByServer())" : try client.get("/next").text
        return ([answer.statusLine] + fields + [answer.text, end]).joined(separator: "\n")
    }

    private static let heads = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a%20b?x=1&y HTTP/1.1\r\nHost: shop.example:80\r\n\r\n",
        "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "OPTIONS http://shop.example/a HTTP/1.1\r\nHost: shop.example\r\n\r\n",
        "DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://shop.example/a?b HTTP/1.1\r\nHost: shop.example\r\n\r\n",
        "GET http://shop.example?b HTTP/1.1\r\nHost: shop.example\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nX-One:1\r\nx-one:  2 \t \r\nEmpty:\r\nBlank:   \r\nColons: a:b: c\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive, TE\r\nTE: trailers\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\ncOnnection: close\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nConnection: te, close\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        "GET /a HTTP/1.0\r\n\r\n",
        "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 98) + "\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 99) + "\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nLong: \(String(repeating: "v", count: 6000))\r\n\r\n",
        "GET /a?\(String(repeating: "q", count: 5000)) HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    @Test(arguments: heads)
    func `shows the handler the same request, and the client the same answer`(_ head: String) async throws {
        var seen: [String] = []
        for way in Way.all {
            let handler = way.manner.handler { request in
                HTTPResponse(
                    status: .ok, headers: ["X-Own": "1"], body: HTTPBody(text: Self.account(of: request)))
            }
            try await withServer(
                options: way.manner.options, certificate: try way.transport.certificate, handler
            ) { _, port in
                seen.append(try await onThread { try Self.answer(port, way.transport, head) })
            }
        }
        #expect(Set(seen).count == 1)
        #expect(seen[0].hasPrefix("HTTP/1.1 200 OK\n"))
    }

    @Test(arguments: Manner.allCases)
    func `asks the handler once for each request`(_ manner: Manner) async throws {
        let asked = Observed(0)
        let handler = manner.handler { request in
            asked.update { $0 += 1 }
            var response = HTTPResponse(status: .ok, body: HTTPBody(text: request.target))
            response.closesConnection = request.hasRawPath("/last".utf8)
            return response
        }
        try await withServer(options: manner.options, handler) { server, port in
            let isClosed = try await withClient(port) { client throws in
                for _ in 0..<3 { #expect(try client.get("/a").text == "/a") }
                try client.send("GET /b HTT")
                try client.send("P/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().text == "/b")
                #expect(try client.get("/c", headers: "Connection: te\r\n").text == "/c")
                for target in ["*", "/d"] {
                    try client.send("OPTIONS \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try client.receive().text == target)
                }
                let last = try client.get("/last")
                #expect(last["Connection"] == "close")
                return try client.isClosedByServer()
            }
            #expect(isClosed)
            #expect(asked.value == 8)
            let counts = await server.handledCounts()
            #expect(counts.fastPath == (manner == .atHand ? 6 : 0))
            #expect(counts.evhttp == 8 - counts.fastPath)
        }
    }

    @Test(arguments: Transport.allCases)
    func `keeps the order where answers at hand stand behind others`(_ transport: Transport) async throws {
        let gate = Gate()
        try await withServer(certificate: try transport.certificate, EchoBehindGate(gate: gate, waits: "/wait")) {
            _, port in
            try await onThread { () throws in
                let targets = ["/1", "/2", "/wait", "/3", "/4", "/wait", "/5"]
                let client = try RawClient(port: port, tls: transport.offer)
                try client.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
                #expect(try client.receive().text == "/1")
                #expect(try client.receive().text == "/2")
                while gate.arrived < 1 { try BlockingPause.oneMillisecond() }
                #expect(!client.hasSomethingToRead)
                gate.open()
                for target in targets.dropFirst(2) { #expect(try client.receive().text == target) }
                #expect(try client.get("/6").text == "/6")
            }
        }
    }

    @Test(arguments: Way.all)
    func `ends connections while it drains`(_ way: Way) async throws {
        let handler = way.manner.handler { HTTPResponse(status: .ok, body: HTTPBody(text: $0.target)) }
        try await withServer(
            options: way.manner.options, certificate: try way.transport.certificate, handler
        ) { server, port in
            let client = try await withClient(port, tls: way.transport.offer) { client throws in
                #expect(try client.get("/before")["Connection"] == nil)
                return client
            }
            await server.beginDraining()
            try await onThread { () throws in
                #expect(try client.get("/after")["Connection"] == "close")
                #expect(try client.endsInOrder())
                let newcomer = try RawClient(port: port, tls: way.transport.offer)
                #expect(try newcomer.get("/still")["Connection"] == "close")
                #expect(try newcomer.endsInOrder())
            }
        }
    }

    @Test(arguments: Way.all)
    func `serves on when a client has half-closed, and when it has sent nothing for a while`(_ way: Way) async throws {
        let handler = way.manner.handler { HTTPResponse(status: .ok, body: HTTPBody(text: $0.target)) }
        var options = way.manner.options
        options.idleTimeout = .milliseconds(200)
        try await withServer(options: options, certificate: try way.transport.certificate, handler) { server, port in
            try await onThread { () throws in
                let halfClosed = try RawClient(port: port, tls: way.transport.offer)
                #expect(try halfClosed.get("/a").text == "/a")
                try halfClosed.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                halfClosed.finishSending()
                #expect(try halfClosed.receive().text == "/b")
                #expect(try halfClosed.isClosedByServer())
                let idle = try RawClient(port: port, tls: way.transport.offer)
                #expect(try idle.get("/c").text == "/c")
                #expect(try idle.isClosedByServer())
            }
            #expect(await server.refusalCounts() == [.idle: 1])
        }
    }
}
