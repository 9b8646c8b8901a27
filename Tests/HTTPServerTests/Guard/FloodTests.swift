import HTTPServer
import TestSupport
import Testing

@Suite struct FloodTests {
    /// Each of these sends without end; none may make the server keep what it sent.
    static let floods: [(name: String, start: String, repeated: String, reads: Bool)] = [
        ("a refused request and a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999\r\n\r\n", "x", true),
        ("an endless line", "GET /", "x", true),
        ("an endless head", "GET / HTTP/1.1\r\nHost: a\r\n", "X: y\r\n", true),
        ("requests without reading an answer", "", GuardCase.get("/"), false),
        ("empty lines", "", "\r\n", true),
        ("requests behind a stalled answer", GuardCase.get("/big"), GuardCase.get("/"), false),
    ]

    /// For everything that floods at once.
    private static let allowed = 8 << 20

    @Test(
        .enabled(if: ResidentMemory.isMeaningful),
        arguments: floods.indices)
    func `keeps little of what a flooding client sends`(index: Int) async {
        // In a process of its own, since what other tests use in this one is not the client's.
        await #expect(processExitsWith: .success) { [index] in try await Self.flood(index) }
    }

    private static func flood(_ index: Int) async throws {
        let flood = Self.floods[index]
        let big = HTTPBody(bytes: [UInt8](repeating: 1, count: 64 << 20))
        let handler = handler { request in
            HTTPResponse(status: .ok, body: request.hasRawPath("/big".utf8) ? big : HTTPBody(text: "served"))
        }
        try await withServer(handler) { server, port in
            _ = try await onThread { try RawClient(port: port).get("/") }
            let before = ResidentMemory.bytes
            let clients = try await onThread {
                let block = [UInt8](
                    String(repeating: flood.repeated, count: (1 << 16) / flood.repeated.utf8.count).utf8)
                return try (0..<4).map { _ in
                    let client = try RawClient(port: port, receiveBuffer: 4096)
                    try client.send(flood.start)
                    var refusals = 0
                    for _ in 0..<200 where refusals < 20 {
                        if client.sendWithoutWaiting(block) > 0 { continue }
                        refusals += 1
                        try BlockingPause.oneMillisecond()
                    }
                    return client
                }
            }
            try await eventually { ResidentMemory.bytes - before < Self.allowed }
            #expect(try await onThread { try RawClient(port: port).get("/").status } == 200)
            for client in clients { client.reset() }
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    @Test func `cuts a refused client that goes on talking`() async throws {
        try await withServer(echo) { server, port in
            try await withClient(port) { client throws in
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
                let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
                for _ in 0..<8 { _ = client.sendWithoutWaiting(block) }
                #expect(try client.receive().status == 413)
                #expect(try client.isClosedByServer())
                for _ in 0..<5000 {
                    do { try client.send("x") } catch { return }
                    try BlockingPause.oneMillisecond()
                }
                Issue.record("the client could go on for five seconds")
            }
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    @Test func `survives clients that go in the middle of a head`() async throws {
        try await withServer(echo) { server, port in
            try await onThread { () throws in
                for input in ["G", "GET / HT", GuardCase.get("/") + "GET", "nonsense\r\n\r\n", "\r\n"] {
                    for goes in [RawClient.close, RawClient.reset, RawClient.finishSending] {
                        let client = try RawClient(port: port)
                        try client.send(input)
                        goes(client)()
                    }
                }
            }
            try await eventually { await server.connectionCount() == 0 }
            #expect(await server.outstandingCount() == 0)
        }
    }

    @Test func `serves a request of a half closed client and refuses a nonsensical one`() async throws {
        try await withServer(echo) { _, port in
            try await onThread { () throws in
                for (input, status) in [(GuardCase.get("/"), 200), ("nonsense\r\n\r\n", 400)] {
                    let client = try RawClient(port: port)
                    try client.send(input)
                    client.finishSending()
                    #expect(try client.receive().status == status)
                    #expect(try client.isClosedByServer())
                }
            }
        }
    }
}
