import HTTPServer
import TestSupport
import Testing

@Suite struct LimitTests {
    @Test func `makes room by closing who has been idle for longest`() async throws {
        var options = HTTPServerOptions()
        options.maximumConnections = 3
        try await withServer(options: options, echo) { server, port in
            let clients = try await onThread {
                let clients = try (0..<3).map { _ in try RawClient(port: port) }
                for index in [1, 0, 2] { _ = try clients[index].get("/") }
                return clients
            }
            let newcomer = try await onThread {
                let newcomer = try RawClient(port: port)
                #expect(try newcomer.get("/new").status == 200)
                #expect(try clients[1].isClosedByServer())
                #expect(try clients[0].get("/kept").status == 200)
                #expect(try clients[2].get("/kept").status == 200)
                return newcomer
            }
            #expect(await server.connectionCount() == 3)
            #expect(await server.refusalCounts() == [.evicted: 1])
            newcomer.close()
        }
    }

    @Test func `sends a connection away when all are busy and serves the next when one is not`() async throws {
        let gate = Gate()
        let handler = EchoBehindGate(gate: gate)
        var options = HTTPServerOptions()
        options.maximumConnections = 2
        try await withServer(options: options, handler) { server, port in
            let busy = try await onThread {
                let busy = try (0..<2).map { _ in try RawClient(port: port) }
                for client in busy { try client.send(GuardCase.get("/")) }
                while gate.arrived < 2 { try BlockingPause.oneMillisecond() }
                let response = try RawClient(port: port).receive()
                #expect(response.status == 503)
                #expect(response["Retry-After"] == "1")
                #expect(response["Connection"] == "close")
                return busy
            }
            #expect(await server.connectionCount() == 2)
            gate.open()
            try await onThread { () throws in
                for client in busy { #expect(try client.receive().status == 200) }
                #expect(try RawClient(port: port).get("/").status == 200)
            }
            #expect(await server.refusalCounts()[.connections] == 1)
        }
    }

    /// One byte begins a head, or a handshake, and its connection is idle no longer. Each newcomer takes the place of
    /// the oldest, which is spared for a second.
    @Test(arguments: Transport.allCases)
    func `makes room by closing the oldest unfinished head or handshake`(_ transport: Transport) async throws {
        var options = HTTPServerOptions()
        options.maximumConnections = 3
        options.headDeadline = .seconds(60)
        try await withServer(options: options, certificate: try transport.certificate, echo) { server, port in
            let begin: @Sendable () throws -> RawClient = {
                let client = try RawClient(port: port)
                try client.send(transport == .plain ? "G" : "\u{16}")
                return client
            }
            var clients = try await onThread { try (0..<3).map { _ in try begin() } }
            try await eventually { await server.connectionCount() == 3 }
            for index in 0..<3 {
                try await eventually {
                    let status = try? await onThread {
                        try RawClient(port: port, tls: transport.offer).get("/new").status
                    }
                    return status == 200
                }
                let client = clients[index]
                #expect(try await onThread { try client.isClosedByServer() })
                try await eventually { await server.connectionCount() == 2 }
                clients.append(try await onThread { try begin() })
                try await eventually { await server.connectionCount() == 3 }
            }
        }
    }

    @Test func `counts the connections of an address over all loops`() async throws {
        var options = HTTPServerOptions()
        options.maximumConnectionsPerAddress = 4
        try await withServer(loops: 2, options: options, echo) { server, port in
            let clients = try await onThread {
                let clients = try (0..<4).map { _ in try RawClient(port: port) }
                for client in clients { #expect(try client.get("/").status == 200) }
                for _ in 0..<8 { #expect(try RawClient(port: port).receive().status == 429) }
                return clients
            }
            #expect(await server.refusalCounts() == [.addressLimit: 8])
            clients[0].close()
            try await eventually { await server.connectionCount() == 3 }
            #expect(try await onThread { try RawClient(port: port).get("/").status } == 200)
        }
    }

    @Test func `refuses requests beyond the outstanding but keeps their connections`() async throws {
        let gate = Gate()
        let handler = handler { request in
            if request.hasRawPath("/wait".utf8) { await gate.pass() }
            return HTTPResponse(status: .ok)
        }
        var options = HTTPServerOptions()
        options.maximumOutstanding = 3
        options.alwaysServedPaths = ["/livez"]
        try await withServer(options: options, handler) { server, port in
            let waiting = try await onThread {
                let waiting = try (0..<3).map { _ in try RawClient(port: port) }
                for client in waiting { try client.send(GuardCase.get("/wait")) }
                while gate.arrived < 3 { try BlockingPause.oneMillisecond() }
                let excess = try RawClient(port: port)
                let refused = try excess.get("/products")
                #expect(refused.status == 503)
                #expect(refused["Retry-After"] == "1")
                #expect(refused["Content-Type"] == "application/problem+json")
                #expect(refused["Connection"] == nil)
                #expect(try excess.get("/livez?verbose").status == 200)
                #expect(try excess.get("/products").status == 503)
                return waiting
            }
            #expect(await server.refusalCounts() == [.overloaded: 2])
            gate.open()
            try await onThread { () throws in
                for client in waiting { #expect(try client.receive().status == 200) }
                #expect(try RawClient(port: port).get("/products").status == 200)
            }
        }
    }

    @Test(arguments: ["", "Connection: close\r\n"], Transport.allCases)
    func `serves what is at hand while others wait for as many answers as may be outstanding`(
        headers: String, _ transport: Transport
    ) async throws {
        let gate = Gate()
        var options = HTTPServerOptions()
        options.maximumOutstanding = 2
        let handler = EchoBehindGate(gate: gate, waits: "/wait")
        try await withServer(options: options, certificate: try transport.certificate, handler) { server, port in
            let waiting = try await onThread {
                let waiting = try (0..<2).map { _ in try RawClient(port: port, tls: transport.offer) }
                for client in waiting { try client.send(GuardCase.get("/wait")) }
                while gate.arrived < 2 { try BlockingPause.oneMillisecond() }
                for (target, status) in [("/at-hand", 200), ("/wait", 503), ("/at-hand", 200)] {
                    let client = try RawClient(port: port, tls: transport.offer)
                    #expect(try client.get(target, headers: headers).status == status)
                }
                return waiting
            }
            #expect(gate.arrived == 2)
            #expect(await server.refusalCounts() == [.overloaded: 1])
            gate.open()
            try await onThread { () throws in
                for client in waiting { #expect(try client.receive().status == 200) }
            }
        }
    }
}
