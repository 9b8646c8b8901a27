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

        func answer(to request: HTTPRequest) -> HTTPAnswer {
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

    @Test func aSlowReaderGetsABigBodyWhole() async throws {
        let source = Source(size: Self.size)
        try await withServer(source) { _, port in
            let body = try await onThread {
                let client = try RawClient(port: port, receiveBuffer: 4096)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.receive().body
            }
            #expect(Self.isWhole(body))
            try await eventually { source.aliveCount == 0 }
        }
    }

    @Test func aHalfClosedReaderGetsABigBodyWhole() async throws {
        let source = Source(size: Self.size)
        try await withServer(source) { server, port in
            let (body, isClosed) = try await onThread {
                let client = try RawClient(port: port, receiveBuffer: 4096)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                client.finishSending()
                return (try client.receive().body, try client.isClosedByServer())
            }
            #expect(Self.isWhole(body))
            #expect(isClosed)
            try await eventually { await server.connectionCount() == 0 }
            try await eventually { source.aliveCount == 0 }
        }
    }

    @Test("releases the body when it is not sent", arguments: [HTTPStatus.noContent, .notModified, .ok])
    func releasesAnUnsentBody(status: HTTPStatus) async throws {
        let source = Source(size: 100, status: status)
        try await withServer(source) { _, port in
            _ = try await onThread {
                let client = try RawClient(port: port)
                try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.receive(bodyless: true)
            }
            try await eventually { source.count == 1 && source.aliveCount == 0 }
        }
    }

    @Test("releases the body of a client that goes in the middle of it", arguments: [true, false])
    func releasesAfterDisconnect(byReset: Bool) async throws {
        let source = Source(size: Self.size)
        try await withServer(source) { server, port in
            try await onThread {
                let client = try RawClient(port: port, receiveBuffer: 4096)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive(count: 1000)
                if byReset { client.reset() } else { client.close() }
            }
            try await eventually { await server.connectionCount() == 0 }
            try await eventually { source.aliveCount == 0 }
        }
    }

    @Test func releasesTheBodyOfAConnectionThatIsAborted() async throws {
        let source = Source(size: Self.size)
        try await withServer(source) { server, port in
            let client = try await onThread {
                let client = try RawClient(port: port, receiveBuffer: 4096)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive(count: 1000)
                return client
            }
            await server.stop(deadline: .zero)
            try await eventually { source.aliveCount == 0 }
            client.close()
        }
    }

    @Test func closesAClientThatTakesNothing() async throws {
        let source = Source(size: Self.size)
        var options = HTTPServerOptions()
        options.writeTimeout = .milliseconds(100)
        try await withServer(options: options, source) { server, port in
            let client = try await onThread {
                let client = try RawClient(port: port, receiveBuffer: 4096)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return client
            }
            try await eventually { source.count == 1 }
            try await eventually { await server.connectionCount() == 0 }
            try await eventually { source.aliveCount == 0 }
            client.close()
        }
    }
}
