import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct HTTPEventStreamEndTests {
    private typealias Source = HTTPEventStreamTests.Source
    private typealias Streams = HTTPEventStreamTests

    @Test(
        arguments: Transport.allCases,
        [true, false])
    func `where a client leaves too much unread, or for too long`(_ transport: Transport, byTime: Bool) async throws {
        let source = Source()
        var options = HTTPServerOptions()
        if byTime { options.writeTimeout = .milliseconds(200) }
        try await withServer(
            options: options, certificate: try transport.certificate, source.handler()
        ) { server, port in
            let slow = try await Streams.opened(port, receiveBuffer: 4096, tls: transport.offer)
            source.send(Streams.large)
            if !byTime { source.send("one more") }
            await source.closed.wait { $0 == 1 }
            #expect(!source.streams[0].isOpen)
            #expect(await server.refusalCounts() == [.slowReader: 1])
            #expect(await server.connectionCount() == 0)
            try await onThread { slow.forEach { $0.close() } }
        }
    }

    @Test(arguments: Transport.allCases, [true, false])
    func `when their client goes, whatever it has sent meanwhile`(_ transport: Transport, byReset: Bool) async throws {
        let source = Source()
        try await withServer(certificate: try transport.certificate, source.handler()) { server, port in
            let client = try await Streams.opened(port, tls: transport.offer)[0]
            try await onThread { try client.send(GuardCase.get("/other") + "nonsense\r\n\r\n") }
            source.send("1")
            try await Streams.expect("1\r\n1\r\n", [client])
            try await onThread { byReset ? client.reset() : client.close() }
            await source.closed.wait { $0 == 1 }
            source.send("2")
            source.streams[0].close()
            #expect(!source.streams[0].isOpen)
            try await eventually { await server.connectionCount() == 0 }
            #expect(await server.refusalCounts().isEmpty)
        }
    }

    @Test(arguments: Transport.allCases)
    func `in order when the server stops, which does not wait for them`(_ transport: Transport) async throws {
        let source = Source()
        try await withServer(loops: 2, certificate: try transport.certificate, source.handler()) { server, port in
            let slow = try await Streams.opened(port, receiveBuffer: 4096, tls: transport.offer)
            source.send(Streams.large)
            let healthy = try await Streams.opened(port, count: 4, tls: transport.offer)
            await server.stop(deadline: .seconds(20), clock: ManualClock())
            #expect(server.cutOff == .none)
            #expect(source.closed.value == 5)
            try await Streams.expect("0\r\n\r\n", healthy)
            try await Streams.expectEnd(healthy)
            try await onThread { slow.forEach { $0.close() } }
        }
    }

    @Test func `makes room for one that was refused`() async throws {
        let source = Source()
        var options = HTTPServerOptions()
        options.maximumStreams = 2
        try await withServer(loops: 2, options: options, source.handler()) { server, port in
            let clients = try await Streams.opened(port, count: 2)
            let late = try await withClient(port) { client throws in
                let refusal = try client.get("/stream")
                #expect(refusal.status == 503)
                #expect(refusal["Content-Type"] == "application/problem+json")
                #expect(refusal["Retry-After"] == "1")
                #expect(try client.get("/other").status == 200)
                return client
            }
            await source.closed.wait { $0 == 1 }
            #expect(await server.refusalCounts() == [.streams: 1])
            try await onThread { clients[0].close() }
            await source.closed.wait { $0 == 2 }
            try await onThread { try Streams.open(late) }
        }
    }

    @Test func `where their head is never sent`() async throws {
        let source = Source(), gate = Gate()
        let handler = handler { request in
            await gate.pass()
            return source.response(to: request)
        }
        var options = HTTPServerOptions()
        options.requestDeadline = .milliseconds(60)
        try await withServer(options: options, handler) { _, port in
            let status = try await onThread { try RawClient(port: port).get("/stream").status }
            #expect(status == 504)
            gate.open()
            await source.closed.wait { $0 == 1 }
            #expect(!source.streams[0].isOpen)
        }
        let dropped = Observed(0)
        _ = HTTPResponse(
            status: .ok, headers: HTTPHeaderBlock(), stream: HTTPEventStream { dropped.update { $0 += 1 } })
        #expect(dropped.value == 1)
    }
}
