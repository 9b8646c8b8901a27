import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct HTTPEventStreamTests {
    /// Answers with streams, which it keeps, and counts those that are closed; `/other` with a body.
    final class Source: Sendable {
        private let made = Shared<[HTTPEventStream]>([])
        let closed = Observed(0)

        var streams: [HTTPEventStream] { made.withLock { $0 } }

        func response(to request: HTTPRequest) -> HTTPResponse {
            guard request.hasRawPath("/stream".utf8) else { return HTTPResponse(status: .ok) }
            let stream = HTTPEventStream { [closed] in closed.update { $0 += 1 } }
            made.withLock { $0.append(stream) }
            return HTTPResponse(status: .ok, headers: ["Content-Type": "text/event-stream"], stream: stream)
        }

        func handler(_ manner: Manner = .atHand) -> any HTTPHandler { manner.handler { self.response(to: $0) } }

        func send(_ text: String) { send(HTTPBody(text: text)) }

        func send(_ part: HTTPBody) { for stream in streams { stream.send(part) } }
    }

    private final class Tally: Sendable {}

    static let large = HTTPBody(bytes: [UInt8](repeating: 7, count: 8 << 20))

    static func open(_ client: RawClient) throws {
        try client.send(GuardCase.get("/stream"))
        let head = try client.receive(bodyless: true)
        #expect(head.status == 200)
        #expect(head["Content-Type"] == "text/event-stream")
        #expect(head["Transfer-Encoding"] == "chunked")
        #expect(head["Connection"] == "close")
        #expect(head["Content-Length"] == nil)
    }

    static func opened(
        _ port: UInt16, count: Int = 1, receiveBuffer: Int32? = nil, tls offer: TLSOffer? = nil
    ) async throws -> [RawClient] {
        try await onThread {
            try (0..<count).map { _ in
                let client = try RawClient(port: port, receiveBuffer: receiveBuffer, tls: offer)
                try open(client)
                return client
            }
        }
    }

    static func expect(_ text: String, _ clients: [RawClient]) async throws {
        try await onThread { () throws in
            for client in clients {
                let bytes = try client.receive(count: text.utf8.count)
                #expect(String(decoding: bytes, as: UTF8.self) == text)
            }
        }
    }

    static func expectEnd(_ clients: [RawClient]) async throws {
        try await onThread { () throws in
            for client in clients {
                let isInOrder = try client.endsInOrder()
                #expect(isInOrder)
            }
        }
    }

    @Test(arguments: Way.all)
    func `come to all clients in order, share their memory and end in order`(_ way: Way) async throws {
        let source = Source()
        try await withServer(
            loops: 2, options: way.manner.options, certificate: try way.transport.certificate,
            source.handler(way.manner)
        ) { server, port in
            let clients = try await Self.opened(port, count: 3, tls: way.transport.offer)
            weak let tally: Tally?
            do {
                let held = Tally()
                tally = held
                source.send(HTTPBody(text: String(repeating: "x", count: 1000)).counted(by: held))
            }
            source.send("data: 2\n\n")
            let long = String(repeating: "x", count: 1000)
            try await Self.expect("3e8\r\n\(long)\r\n9\r\ndata: 2\n\n\r\n", clients)
            try await eventually { tally == nil }
            #expect(source.streams.allSatisfy(\.isOpen) && source.closed.value == 0)
            for stream in source.streams { stream.close() }
            source.send("never")
            try await Self.expect("0\r\n\r\n", clients)
            try await Self.expectEnd(clients)
            await source.closed.wait { $0 == 3 }
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    @Test(arguments: Manner.allCases)
    func `begin with what was sent before the head, and may have ended by then`(_ manner: Manner) async throws {
        let closed = Observed(0)
        let handler = manner.handler { _ in
            let stream = HTTPEventStream { closed.update { $0 += 1 } }
            stream.send(HTTPBody(text: "first"))
            stream.send(HTTPBody(text: "second"))
            stream.close()
            return HTTPResponse(status: .ok, headers: ["Content-Type": "text/event-stream"], stream: stream)
        }
        try await withServer(options: manner.options, handler) { _, port in
            let clients = try await Self.opened(port)
            try await Self.expect("5\r\nfirst\r\n6\r\nsecond\r\n0\r\n\r\n", clients)
            await closed.wait { $0 == 1 }
        }
    }

    @Test(arguments: Transport.allCases)
    func `have no chunks for HTTP/1.0 and nothing but a head for HEAD`(_ transport: Transport) async throws {
        let source = Source()
        try await withServer(certificate: try transport.certificate, source.handler()) { _, port in
            let old = try await withClient(port, tls: transport.offer) { client in
                try client.send("GET /stream HTTP/1.0\r\n\r\n")
                return client
            }
            try await eventually { source.streams.count == 1 }
            source.send("data: 1\n\n")
            source.streams[0].close()
            let response = try await onThread { try old.receiveToEnd() }
            #expect(response.text == "data: 1\n\n")
            #expect(response["Transfer-Encoding"] == nil)
            try await withClient(port, tls: transport.offer) { client throws in
                try client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive(bodyless: true)["Content-Type"] == "text/event-stream")
                #expect(try client.endsInOrder())
            }
            await source.closed.wait { $0 == 2 }
        }
    }

    @Test func `outlive all timeouts while their clients keep up`() async throws {
        let source = Source()
        var options = HTTPServerOptions()
        (options.headDeadline, options.idleTimeout) = (.milliseconds(50), .milliseconds(50))
        (options.writeTimeout, options.requestDeadline) = (.milliseconds(200), .milliseconds(50))
        try await withServer(options: options, source.handler()) { server, port in
            let clients = try await Self.opened(port)
            for index in 0..<4 {
                let isLater = ContinuousClock.now + .milliseconds(250)
                try await eventually { ContinuousClock.now > isLater }
                source.send("\(index)")
                try await Self.expect("1\r\n\(index)\r\n", clients)
            }
            #expect(await server.refusalCounts().isEmpty)
        }
    }
}
