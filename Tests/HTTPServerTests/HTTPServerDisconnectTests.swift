import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPServerDisconnectTests {
    /// More than the buffers of both sockets hold; a server that reads on takes it all.
    private static let limit = 128 << 20

    @Test(arguments: [true, false])
    func `survives a client that goes while its request is answered`(byReset: Bool) async throws {
        let gate = Gate()
        let handler = EchoBehindGate(gate: gate)
        try await withServer(handler) { server, port in
            try await withClient(port) { client in
                try client.send("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n")
                while gate.arrived == 0 { try Self.pause() }
                if byReset { client.reset() } else { client.close() }
            }
            gate.open()
            try await eventually { await server.connectionCount() == 0 }
            #expect(await server.outstandingCount() == 0)
            #expect(try await onThread { try RawClient(port: port).get("/next").text } == "/next")
        }
    }

    @Test func `a pipeline of many behind a waiting request is answered in full`() async throws {
        let gate = Gate()
        let handler = EchoBehindGate(gate: gate)
        try await withServer(handler) { _, port in
            let texts = try await withClient(port) { client in
                try client.send((0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
                while gate.arrived == 0 { try Self.pause() }
                gate.open()
                return try (0..<200).map { _ in try client.receive().text }
            }
            #expect(texts == (0..<200).map { "/\($0)" })
        }
    }

    @Test func `a flood behind a waiting request stays in the kernel`() async throws {
        let gate = Gate()
        let handler = EchoBehindGate(gate: gate)
        try await withServer(handler) { server, port in
            let accepted = try await withClient(port) { client in
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                while gate.arrived == 0 { try Self.pause() }
                return Self.flood(client)
            }
            #expect(accepted < Self.limit)
            gate.open()
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    @Test func `a flood behind a stalled answer stays in the kernel`() async throws {
        let body = HTTPBody(bytes: [UInt8](repeating: 1, count: 64 << 20))
        let handler = handler { _ in HTTPResponse(status: .ok, body: body) }
        try await withServer(handler) { server, port in
            let accepted = try await withClient(port, receiveBuffer: 4096) { client in
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive(count: 100)
                return Self.flood(client)
            }
            #expect(accepted < Self.limit)
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    /// libevent reads on while it writes an error page of its own; the shim stops it. The page is stalled by answers
    /// that nobody reads: beyond two thirds of its buffer a socket takes more but is not called writable.
    @Test func `a flood behind a stalled error page stays in the kernel`() async throws {
        let answered = Observed(0)
        let body = HTTPBody(bytes: [UInt8](repeating: 1, count: 1000))
        let handler = handler { _ in
            answered.update { $0 += 1 }
            return HTTPResponse(status: .ok, body: body)
        }
        let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        try await withServer(handler) { server, port in
            let capacity = try await withClient(port, receiveBuffer: 4096) { client in
                _ = client.sendWithoutWaiting([UInt8](String(repeating: get, count: 20_000).utf8))
                return try Self.settled(answered)
            }
            let accepted = try await withClient(port, receiveBuffer: 4096) { client throws in
                try client.send(String(repeating: get, count: capacity * 9 / 10) + "nonsense\r\n\r\n")
                #expect(try Self.settled(answered) == capacity + capacity * 9 / 10)
                return Self.flood(client)
            }
            #expect(accepted > 0)
            #expect(accepted < Self.limit)
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    /// Sends until the other side has taken nothing for a while, up to a limit.
    private static func flood(_ client: RawClient) -> Int {
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        var accepted = 0
        var refusals = 0
        while refusals < 200, accepted < limit {
            let count = client.sendWithoutWaiting(chunk)
            accepted += count
            refusals = count == 0 ? refusals + 1 : 0
            if count == 0 { try? pause() }
        }
        return accepted
    }

    /// The count once it has stood still for a while.
    private static func settled(_ counter: Observed<Int>) throws -> Int {
        var (last, unchanged) = (-1, 0)
        while unchanged < 200 {
            unchanged = counter.value == last ? unchanged + 1 : 0
            last = counter.value
            try pause()
        }
        return last
    }

    private static func pause() throws {
        try BlockingPause.oneMillisecond()
    }
}
