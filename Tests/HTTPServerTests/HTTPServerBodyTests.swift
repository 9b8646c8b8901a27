import Concurrency
import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPServerBodyTests {
    static let size = 8 << 20
    static let pattern = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// Makes a body, remembers it weakly, and gives it away.
    final class Source: HTTPHandler, Sendable {
        private struct Weak: Sendable {
            weak var body: HTTPBody?
        }

        private let made = Mutex<[Weak]>([])
        private let size: Int
        private let status: HTTPStatus

        init(size: Int, status: HTTPStatus = .ok) {
            self.size = size
            self.status = status
        }

        var count: Int { made.withLock { $0.count } }
        var aliveCount: Int { made.withLock { $0.count { $0.body != nil } } }

        func respond(to request: HTTPRequest) -> EventualResponse {
            let body = HTTPBody(bytes: HTTPServerBodyTests.pattern.prefix(size))
            made.withLock { $0.append(Weak(body: body)) }
            return .ready(HTTPResponse(status: status, body: body))
        }
    }

    static func isWhole(_ body: [UInt8]) -> Bool {
        isWhole(body, size: size)
    }

    static func isWhole(_ body: [UInt8], size: Int) -> Bool {
        body[...] == pattern.prefix(size)
    }

    @Test(arguments: [HTTPStatus.noContent, .notModified, .ok])
    func `releases the body when it is not sent`(status: HTTPStatus) async throws {
        let source = Source(size: 100, status: status)
        try await withServer(source) { _, port in
            _ = try await withClient(port) { client in
                try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.receive(bodyless: true)
            }
            try await eventually { source.count == 1 && source.aliveCount == 0 }
        }
    }

    @Test func `releases the body of a connection that is aborted`() async throws {
        let source = Source(size: Self.size)
        try await withServer(source) { server, port in
            let client = try await withClient(port, receiveBuffer: 4096) { client in
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive(count: 1000)
                return client
            }
            await server.stop(deadline: .zero)
            try await eventually { source.aliveCount == 0 }
            client.close()
        }
    }

    @Test
    func `a client that does not read costs the kernel little, however large the answer, and loses none of it`()
        async throws
    {
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
