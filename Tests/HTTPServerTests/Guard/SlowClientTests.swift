import HTTPServer
import TestSupport
import Testing

@Suite struct SlowClientTests {
    private static let deadline = Duration.milliseconds(150)

    private var options: HTTPServerOptions {
        var options = HTTPServerOptions()
        options.headDeadline = Self.deadline
        return options
    }

    /// Sends an endless head byte by byte, with pauses, until there is a response.
    private static func drip(_ client: RawClient, _ start: String) throws -> RawResponse {
        try client.send(start)
        for _ in 0..<2000 {
            do { try client.send("x") } catch RawClient.Failure.failed { break }
            for _ in 0..<10 { try BlockingPause.oneMillisecond() }
            if client.hasSomethingToRead { break }
        }
        return try client.receive()
    }

    @Test(arguments: ["", "GE", "GET /", "GET / HTTP/1.1\r\nHost: a\r\nX: "])
    func `cuts a client that drips its head, however often it says something`(start: String) async throws {
        try await withServer(options: options, echo) { server, port in
            let (response, time) = try await onThread {
                let begin = ContinuousClock.now
                let response = try Self.drip(try RawClient(port: port), start)
                return (response, ContinuousClock.now - begin)
            }
            #expect([408, 501].contains(response.status))
            #expect(response["Connection"] == "close")
            #expect(time >= Self.deadline || response.status == 501)
            #expect(await server.refusalCounts().values.reduce(0, +) == 1)
        }
    }

    @Test func `starts the time of a head behind an answer with the answer`() async throws {
        let gate = Gate()
        let handler = EchoBehindGate(gate: gate)
        try await withServer(options: options, handler) { server, port in
            let client = try await withClient(port) { client in
                try client.send(GuardCase.get("/1") + "GET /2 HTT")
                while gate.arrived == 0 { try BlockingPause.oneMillisecond() }
                for _ in 0..<300 { try BlockingPause.oneMillisecond() }
                return client
            }
            #expect(await server.refusalCounts().isEmpty)
            gate.open()
            try await onThread { () throws in
                try client.send("P/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().status == 200)
                #expect(try client.receive().status == 200)
                try client.send("G")
                #expect(try client.receive().status == 408)
                #expect(try client.isClosedByServer())
            }
            #expect(await server.refusalCounts() == [.headTimeout: 1])
        }
    }

    @Test func `leaves a connection that says nothing to the idle timeout`() async throws {
        var options = options
        options.idleTimeout = .milliseconds(400)
        try await withServer(options: options, echo) { server, port in
            let time = try await onThread {
                let begin = ContinuousClock.now
                let client = try RawClient(port: port)
                #expect(try client.isClosedByServer())
                return ContinuousClock.now - begin
            }
            #expect(time >= .milliseconds(300))
            #expect(await server.refusalCounts() == [.idle: 1])
        }
    }

    /// Takes a few bytes of a large answer in every tenth of the write timeout: always some, never enough.
    @Test func `resets a client that takes its answer by the byte`() async throws {
        let source = HTTPServerBodyTests.Source(size: 16 << 20)
        var options = HTTPServerOptions()
        options.writeTimeout = .milliseconds(200)
        options.minimumWriteRate = 1 << 20
        try await withServer(options: options, source) { server, port in
            let taken = try await withClient(port, receiveBuffer: 4096) { client in
                try client.send(GuardCase.get("/"))
                var taken = 0
                while taken < 16 << 20, (try? client.receive(count: 64)) != nil {
                    taken += 64
                    for _ in 0..<20 { try BlockingPause.oneMillisecond() }
                }
                return taken
            }
            #expect(taken < 1 << 20)
            #expect(await server.refusalCounts() == [.slowReader: 1])
            try await eventually { source.aliveCount == 0 }
        }
    }

    /// Clients that have received the beginning of their responses.
    private func readers(of targets: [String], _ port: some BinaryInteger, _ transport: Transport) throws -> [RawClient]
    {
        try targets.map { target in
            let client = try RawClient(port: port, receiveBuffer: 4096, tls: transport.offer)
            try client.send(GuardCase.get(target))
            _ = try client.receive(count: 100)
            return client
        }
    }

    /// One client has taken half of a replaced body and one nothing but the head; one reads another body.
    @Test(arguments: Transport.allCases)
    func `resets who needs too long for a replaced body`(_ transport: Transport) async throws {
        let size = 16 << 20
        let bodies = (0..<2).map { HTTPBody(bytes: [UInt8](repeating: UInt8($0), count: size)) }
        let handler = handler { request in
            HTTPResponse(status: .ok, body: request.hasRawPath("/other".utf8) ? bodies[1] : bodies[0])
        }
        try await withServer(certificate: try transport.certificate, handler) { server, port in
            let clients = try await onThread {
                let clients = try readers(of: ["/replaced", "/replaced", "/other"], port, transport)
                _ = try clients[0].receive(count: size / 2)
                return clients
            }
            #expect(await server.resetReaders(of: bodies[0].place) == 0)
            // An answer is spared for a sixteenth of thirty seconds.
            let areOld = ContinuousClock.now + .milliseconds(2000)
            try await eventually { ContinuousClock.now > areOld }
            #expect(await server.resetReaders(of: bodies[0].slice(0..<0).place) == 0)
            #expect(await server.resetReaders(of: bodies[0].place) == 1)
            #expect(await server.refusalCounts() == [.slowReader: 1])
            #expect(await server.connectionCount() == 2)
            try await onThread { () throws in
                for client in [clients[0], clients[2]] { _ = try client.receive(count: size / 2 - 100) }
                #expect(throws: RawClient.Failure.self) { try clients[1].receive(count: size) }
            }
        }
    }

    /// One client has taken half of its answer and the other one nothing but the head, when a byte is wanted.
    @Test(arguments: Transport.allCases)
    func `resets who reads most slowly when memory is wanted`(_ transport: Transport) async throws {
        final class Claim: Sendable {}
        let size = 16 << 20
        let make: @Sendable () -> HTTPBody = { HTTPBody(bytes: [UInt8](repeating: 1, count: size)) }
        let shared = make()
        let handler = handler { request in
            HTTPResponse(status: .ok, body: request.hasRawPath("/own".utf8) ? make().holding(Claim()) : shared)
        }
        try await withServer(certificate: try transport.certificate, handler) { server, port in
            let clients = try await onThread {
                let clients = try readers(of: ["/shared", "/own", "/own"], port, transport)
                _ = try clients[1].receive(count: size / 2)
                return clients
            }
            #expect(await server.refusalCounts().isEmpty)
            // An answer is spared for a second, so by then both could be cut off.
            let areOld = ContinuousClock.now + .milliseconds(1500)
            try await eventually { ContinuousClock.now > areOld }
            #expect(await server.resetSlowestReaders(freeing: 1) == size)
            #expect(await server.refusalCounts() == [.slowReader: 1])
            #expect(await server.connectionCount() == 2)
            try await onThread { () throws in
                for client in clients[..<2] { _ = try client.receive(count: size / 2 - 100) }
                #expect(throws: RawClient.Failure.self) { try clients[2].receive(count: size) }
            }
        }
    }
}
