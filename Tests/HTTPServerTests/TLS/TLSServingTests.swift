import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TLSServingTests {
    private static let encrypted = [Transport.tls12, .tls13]

    @Test(arguments: Transport.allCases)
    func `answers many requests on one connection, pipelined or not, and HEAD without a body`(_ transport: Transport)
        async throws
    {
        try await withServer(loops: 2, certificate: try transport.certificate, echo) { _, port in
            try await withClient(port, tls: transport.offer) { client throws in
                for index in 0..<20 { #expect(try client.get("/\(index)").text == "/\(index)") }
                try client.send((0..<20).map { GuardCase.get("/\($0)") }.joined())
                for index in 0..<20 { #expect(try client.receive().text == "/\(index)") }
                try client.send("HEAD /head HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive(bodyless: true)["Content-Length"] == "5")
                #expect(try client.get("/after").text == "/after")
            }
        }
    }

    @Test(arguments: Manner.allCases)
    func `answers pipelined requests that come in one record, longer than what is read at once`(_ manner: Manner)
        async throws
    {
        let handler = manner.handler { HTTPResponse(status: .ok, body: HTTPBody(text: $0.target)) }
        try await withServer(options: manner.options, certificate: try .test(.first), handler) { server, port in
            try await withClient(port, tls: TLSOffer()) { client throws in
                try client.send((0..<400).map { GuardCase.get("/\($0)") }.joined())
                for index in 0..<400 { #expect(try client.receive().text == "/\(index)") }
                try client.send(GuardCase.get("/last") + "nonsense\r\n\r\n")
                #expect(try client.receive().text == "/last")
                #expect(try client.receive().status == 400)
                #expect(try client.isClosedByServer())
            }
            #expect(await server.refusalCounts() == [.malformed: 1])
        }
    }

    @Test(arguments: Transport.allCases)
    func `sends a big body whole, also to a slow reader and to one that has finished sending`(_ transport: Transport)
        async throws
    {
        let source = HTTPServerBodyTests.Source(size: HTTPServerBodyTests.size)
        try await withServer(certificate: try transport.certificate, source) { _, port in
            let bodies = try await withClient(port, receiveBuffer: 4096, tls: transport.offer) { client in
                let first = try client.get("/").body
                try client.send(GuardCase.get("/"))
                client.finishSending()
                return [first, try client.receive().body]
            }
            #expect(bodies.allSatisfy(HTTPServerBodyTests.isWhole))
            try await eventually { source.aliveCount == 0 }
        }
    }

    @Test(arguments: encrypted, [200, 400])
    func `announces the end of a connection that it closes`(_ transport: Transport, status: Int) async throws {
        try await withServer(certificate: try transport.certificate, echo) { server, port in
            try await withClient(port, tls: transport.offer) { client throws in
                let line = status == 200 ? "Host: a\r\nConnection: close" : "Host: a\r\nHost: b"
                try client.send("GET / HTTP/1.1\r\n\(line)\r\n\r\n")
                #expect(try client.receive().status == status)
                let session = try #require(client.session)
                #expect(throws: TLSFailure.closed(isAnnounced: true)) { try session.receive() }
            }
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    @Test(arguments: [true, false], Transport.allCases)
    func `releases the body of a client that goes in the middle of it`(byReset: Bool, _ transport: Transport)
        async throws
    {
        let source = HTTPServerBodyTests.Source(size: HTTPServerBodyTests.size)
        try await withServer(certificate: try transport.certificate, source) { server, port in
            try await withClient(port, receiveBuffer: 4096, tls: transport.offer) { client in
                try client.send(GuardCase.get("/"))
                _ = try client.receive(count: 1000)
                if byReset { client.reset() } else { client.close() }
            }
            try await eventually { await server.connectionCount() == 0 }
            try await eventually { source.aliveCount == 0 }
        }
    }

    /// The steady one is slower than the kernel's buffers are deep: it is what a client acknowledges that counts.
    @Test(arguments: Transport.allCases)
    func `resets a client that takes nothing of its answer, and serves one that takes it steadily`(
        _ transport: Transport
    ) async throws {
        let source = HTTPServerBodyTests.Source(size: 4 << 20)
        var options = HTTPServerOptions()
        options.writeTimeout = .milliseconds(300)
        try await withServer(options: options, certificate: try transport.certificate, source) { server, port in
            let (steady, stalled) = try await onThread {
                let stalled = try RawClient(port: port, receiveBuffer: 4096, tls: transport.offer)
                try stalled.send(GuardCase.get("/"))
                let steady = try RawClient(port: port, receiveBuffer: 4096, tls: transport.offer)
                try steady.send(GuardCase.get("/"))
                var body: [UInt8] = []
                let length = try steady.receive(bodyless: true)["Content-Length"].flatMap { Int($0) }
                while body.count < length ?? 0 {
                    body += try steady.receive(count: 4096)
                    if body.count % (1 << 18) == 0 { for _ in 0..<60 { try BlockingPause.oneMillisecond() } }
                }
                return (body, stalled)
            }
            #expect(HTTPServerBodyTests.isWhole(steady, size: 4 << 20))
            try await eventually { await server.refusalCounts() == [.slowReader: 1] }
            try await eventually { source.aliveCount == 0 }
            stalled.close()
        }
    }

    @Test(arguments: Transport.allCases)
    func `serves on after a request that waited too long, was dropped, or came in excess`(_ transport: Transport)
        async throws
    {
        let gate = Gate()
        let handler = handler { request in
            if request.hasRawPath("/wait".utf8) { await gate.pass() }
            var response = HTTPResponse(status: .ok)
            if request.hasRawPath("/drop".utf8) { response.delivery = .dropped }
            return response
        }
        var options = HTTPServerOptions()
        options.requestDeadline = .milliseconds(60)
        options.maximumOutstanding = 1
        try await withServer(options: options, certificate: try transport.certificate, handler) { server, port in
            try await onThread { () throws in
                let waiting = try RawClient(port: port, tls: transport.offer)
                #expect(try waiting.get("/wait").status == 504)
                #expect(try waiting.isClosedByServer())
                #expect(try RawClient(port: port, tls: transport.offer).get("/").status == 503)
            }
            gate.open()
            try await eventually {
                (try? await onThread { try RawClient(port: port, tls: transport.offer).get("/").status }) == 200
            }
            try await onThread { () throws in
                let dropped = try RawClient(port: port, tls: transport.offer)
                try dropped.send(GuardCase.get("/drop"))
                #expect(try dropped.isClosedByServer())
            }
            #expect(await server.refusalCounts()[.deadline] == 1)
        }
    }
}
