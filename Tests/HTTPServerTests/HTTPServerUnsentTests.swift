import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPServerUnsentTests {
    @Test("A client that does not read costs the kernel little, however large the answer, and loses none of it")
    func unread() async throws {
        let size = 4 << 20
        let body = HTTPBody(bytes: repeatElement(7, count: size))
        try await withServer(handler { _ in HTTPResponse(status: .ok, body: body) }) { server, port in
            let client = try RawClient(port: port, receiveBuffer: 1 << 16)
            try await onThread { try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
            try await eventually { SendQueue.bytes(ofPort: port) > 1 << 16 }
            // Asked on the loop, so when it answers the loop has written what the kernel takes.
            #expect(await server.connectionCount() == 1)
            #expect(SendQueue.bytes(ofPort: port) < 1 << 20)
            let status = try await onThread { try client.receive(bodyless: true).status }
            #expect(status == 200)
            let received = try await onThread { try (0..<size >> 16).map { _ in try client.receive(count: 1 << 16) } }
            #expect(received.allSatisfy { $0.allSatisfy { $0 == 7 } })
        }
    }
}
