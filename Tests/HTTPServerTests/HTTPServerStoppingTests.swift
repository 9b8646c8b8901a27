import EventLoop
@testable import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPServerStoppingTests {
    @Test(arguments: Way.all)
    func `closes idle connections and refuses new ones`(_ way: Way) async throws {
        let handler = way.manner.handler { HTTPResponse(status: .ok, body: HTTPBody(text: $0.target)) }
        try await withServer(
            loops: 2, options: way.manner.options, certificate: try way.transport.certificate, handler
        ) { server, port in
            let clients = try await onThread {
                let clients = try (0..<10).map { _ in try RawClient(port: port, tls: way.transport.offer) }
                for client in clients.prefix(5) { _ = try client.get("/") }
                return clients
            }
            try await eventually { await server.connectionCount() == 10 }
            await server.stop(deadline: .seconds(20))
            #expect(server.port == nil)
            let (areClosed, failure) = try await onThread {
                let areClosed = try clients.map { try $0.isClosedByServer() }
                do {
                    _ = try RawClient(port: port)
                    return (areClosed, RawClient.Failure?.none)
                } catch let failure as RawClient.Failure {
                    return (areClosed, failure)
                }
            }
            #expect(areClosed == [Bool](repeating: true, count: 10))
            #expect(failure != nil)
        }
    }

    @Test func `lets a half received request finish`() async throws {
        try await withServer(echo) { server, port in
            let client = try await withClient(port) { client in
                try client.send("GET /half HTTP/1.1\r\nHost: a\r\n")
                return client
            }
            try await eventually { await server.connectionCount() == 1 }
            async let stopped: Void = server.stop(deadline: .seconds(20))
            try await eventually { server.port == nil }
            let response = try await onThread {
                try client.send("\r\n")
                return try client.receive()
            }
            await stopped
            #expect(response.text == "/half")
            #expect(response["Connection"] == "close")
        }
    }

    @Test func `aborts what is left at the deadline`() async throws {
        let gate = Gate()
        let clock = ManualClock()
        let handler = EchoBehindGate(gate: gate)
        try await withServer(handler) { server, port in
            async let outcome = withClient(port) { client in
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.isClosedByServer()
            }
            try await eventually { gate.arrived == 1 }
            async let stopped: Void = server.stop(deadline: .seconds(20), clock: clock)
            await clock.waitForSleepers()
            #expect(await server.connectionCount() == 1)
            clock.advance(by: .seconds(20))
            await stopped
            let isClosed = try await outcome
            #expect(isClosed)
            #expect(server.cutOff == HTTPOpenWork(connections: 1, requests: 1))
            gate.open()
        }
    }

    @Test(arguments: Transport.allCases)
    func `serves who has connected and not asked yet, in the kernel's queue too`(_ transport: Transport) async throws {
        try await withServer(loops: 2, certificate: try transport.certificate, echo) { server, port in
            let clients = try await onThread {
                try (0..<100).map { _ in try RawClient(port: port, tls: transport.offer) }
            }
            let stopping = Task { await server.stop(deadline: .seconds(20)) }
            try await eventually { server.port == nil }
            try await onThread { () throws in
                for client in clients {
                    let response = try client.get("/late")
                    #expect(response.text == "/late")
                    #expect(response["Connection"] == "close")
                }
            }
            await stopping.value
            #expect(server.cutOff == .none)
        }
    }

    @Test func `cuts nothing off where nobody has asked`() async throws {
        let clock = ManualClock()
        try await withServer(echo) { server, port in
            let silent = try await onThread { try RawClient(port: port) }
            try await eventually { await server.connectionCount() == 1 }
            async let stopped: Void = server.stop(deadline: .seconds(1), clock: clock)
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            await stopped
            #expect(try await onThread { try silent.isClosedByServer() })
            #expect(server.cutOff == .none)
        }
    }

    @Test(arguments: Transport.allCases)
    func `sends the last answer whole with another request left unread behind it`(_ transport: Transport) async throws {
        let gate = Gate()
        let body = HTTPBody(bytes: HTTPServerBodyTests.pattern.prefix(1 << 20))
        let handler = handler { _ in
            await gate.pass()
            return HTTPResponse(status: .ok, body: body)
        }
        try await withServer(certificate: try transport.certificate, handler) { server, port in
            let client = try await withClient(port, receiveBuffer: 4096, tls: transport.offer) { client in
                try client.send(GuardCase.get("/wait"))
                return client
            }
            try await eventually { gate.arrived == 1 }
            try await onThread { try client.send(GuardCase.get("/unread")) }
            await server.beginDraining()
            gate.open()
            try await onThread { () throws in
                let response = try client.receive()
                #expect(response["Connection"] == "close")
                #expect(HTTPServerBodyTests.isWhole(response.body, size: 1 << 20))
                #expect(try client.endsInOrder())
            }
            #expect(gate.arrived == 1)
        }
    }

    @Test func `stops under load without cutting an answer`() async throws {
        let body = HTTPBody(bytes: [UInt8](repeating: 7, count: 20_000))
        let handler = handler { _ in
            await Task.yield()
            return HTTPResponse(status: .ok, body: body)
        }
        try await withServer(loops: 2, handler) { server, port in
            let answered = Observed(0)
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { try await onThread { try Self.hammer(port, answered) } }
                }
                try await eventually { answered.value > 200 }
                await server.stop(deadline: .seconds(20))
                #expect(server.cutOff == .none)
                try await group.waitForAll()
            }
        }
    }

    /// Asks until the server goes. An answer may be missing, but one that has begun must be whole.
    private static func hammer(_ port: UInt16, _ answered: Observed<Int>) throws {
        while true {
            guard let client = try? RawClient(port: port) else { return }
            var response: RawResponse
            repeat {
                do {
                    response = try client.get("/")
                } catch RawClient.Failure.closed(after: 0) {
                    break
                } catch RawClient.Failure.failed {
                    break
                }
                answered.update { $0 += 1 }
                #expect(response.body.count == 20_000)
            } while response["Connection"] != "close"
        }
    }
}
