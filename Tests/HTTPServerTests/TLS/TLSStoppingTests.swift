import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TLSStoppingTests {
    @Test(arguments: Transport.allCases)
    func `closes what is idle and finishes what is in flight`(_ transport: Transport) async throws {
        let gate = Gate()
        let handler = EchoBehindGate(gate: gate)
        // Uses one loop, which has received the order to stop once it closes the idle connection.
        try await withServer(loops: 1, certificate: try transport.certificate, handler) { server, port in
            let (idle, busy) = try await onThread {
                let idle = try RawClient(port: port, tls: transport.offer)
                let busy = try RawClient(port: port, tls: transport.offer)
                try busy.send(GuardCase.get("/in-flight"))
                return (idle, busy)
            }
            try await eventually { gate.arrived == 1 }
            async let stopped: Void = server.stop(deadline: .seconds(20))
            #expect(try await onThread { try idle.isClosedByServer() })
            gate.open()
            let (response, isClosed) = try await onThread { (try busy.receive(), try busy.isClosedByServer()) }
            await stopped
            #expect(response.text == "/in-flight")
            #expect(response["Connection"] == "close")
            #expect(isClosed)
            #expect(await server.refusalCounts().isEmpty)
        }
    }

    @Test func `does not wait for who has never said a word`() async throws {
        var options = HTTPServerOptions()
        options.headDeadline = .seconds(3600)
        try await withServer(loops: 2, options: options, certificate: try .test(.first), echo) { server, port in
            let silent = try await onThread { try (0..<4).map { _ in try RawClient(port: port) } }
            try await eventually { await server.connectionCount() == 4 }
            await server.stop(deadline: .seconds(20), clock: ManualClock())
            try await onThread { () throws in
                for client in silent { #expect(try client.isClosedByServer()) }
            }
            #expect(await server.refusalCounts().isEmpty)
        }
    }

    @Test(arguments: [Transport.tls12, .tls13])
    func `lets a handshake that has begun end, and then the connection`(_ transport: Transport) async throws {
        let paused = Observed(0)
        let gate = TestSupport.Gate()
        gate.close()
        try await withServer(certificate: try transport.certificate, echo) { server, port in
            async let endsInOrder = onThread {
                let client = try RawClient(port: port, tls: transport.offer) {
                    paused.update { $0 += 1 }
                    gate.pass()
                }
                return try client.endsInOrder()
            }
            try await eventually { paused.value == 1 }
            let clock = ManualClock()
            async let stopped: Void = server.stop(deadline: .seconds(20), clock: clock)
            await clock.waitForSleepers()
            #expect(await server.connectionCount() == 1)
            gate.open()
            await stopped
            let isInOrder = try await endsInOrder
            #expect(isInOrder)
            #expect(await server.refusalCounts().isEmpty)
        }
    }

    @Test func `closes at the deadline what has not ended by then, handshakes too`() async throws {
        let clock = ManualClock()
        try await withServer(certificate: try .test(.first), echo) { server, port in
            let begun = try await onThread {
                let begun = try RawClient(port: port)
                try begun.send([0x16, 0x03, 0x01])
                return begun
            }
            try await eventually { await server.connectionCount() == 1 }
            async let stopped: Void = server.stop(deadline: .seconds(20), clock: clock)
            await clock.waitForSleepers()
            #expect(await server.connectionCount() == 1)
            clock.advance(by: .seconds(20))
            await stopped
            #expect(try await onThread { try begun.isClosedByServer() })
            #expect(await server.refusalCounts().isEmpty)
        }
    }
}
