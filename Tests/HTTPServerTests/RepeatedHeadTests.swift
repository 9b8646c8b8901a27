import Concurrency
import TestSupport
import Testing

@testable import HTTPServer

/// Requests on a kept connection, whose heads are those of the last ones, or differ from them.
@Suite struct RepeatedHeadTests {
    @Test(arguments: Way.all)
    func `each head has its own response, repeated or not`(_ way: Way) async throws {
        let handler = way.manner.handler { request in
            let tag = request.header("X-Tag") ?? "-"
            return HTTPResponse(status: .ok, body: HTTPBody(text: "\(request.method) \(request.target) \(tag)"))
        }
        try await withServer(
            options: way.manner.options, certificate: try way.transport.certificate, handler
        ) { _, port in
            try await withClient(port, tls: way.transport.offer) { client throws in
                let differing = (0..<12).map { "d\($0 % 2)" } + Array(repeating: "e", count: 4)
                for tag in ["a", "a", "a", "b", "b", "a", "c\r\nX-More: 1", "a", "a"] + differing {
                    let response = try client.get("/t", headers: "X-Tag: \(tag)\r\n")
                    #expect(response.text == "GET /t \(tag.prefix { $0 != "\r\n" })")
                }
                try client.send("GET /t HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.receive().text == "GET /t -")
                for part in ["GET /t HTTP/1.1\r\nHo", "st: h\r\nX-Tag: part\r\n\r\n"] { try client.send(part) }
                #expect(try client.receive().text == "GET /t part")
                try client.send("HEAD /t HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try client.receive(bodyless: true)["Content-Length"] == "9")
            }
        }
    }

    @Test func `requests in one piece and in parts are told apart`() async throws {
        try await withServer(Manner.atHand.handler { HTTPResponse(status: .ok, body: HTTPBody(text: $0.target)) }) {
            _, port in
            try await withClient(port) { client throws in
                let (one, other) = ("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n", "GET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
                for head in [one, one, one + one + other + one, other + one, "\r\n" + one] { try client.send(head) }
                let texts = try (0..<9).map { _ in try client.receive().text }
                #expect(texts == ["/1", "/1", "/1", "/1", "/2", "/1", "/2", "/1", "/1"])
            }
        }
    }

    /// Responds at once, also with more than a socket takes, or later, one after the other.
    private struct Changing: HTTPHandler {
        let number = Shared(0)
        let long = HTTPBody(bytes: [UInt8](repeating: UInt8(ascii: "l"), count: 8 << 20))

        func respond(to request: HTTPRequest) -> EventualResponse {
            let number = number.withLock { number in
                defer { number += 1 }
                return number
            }
            let short = HTTPResponse(status: .ok, body: HTTPBody(text: "\(number)"))
            switch number % 4 {
            case 1: return .ready(HTTPResponse(status: .ok, body: long))
            case 2:
                return .pending {
                    await Task.yield()
                    return short
                }
            default: return .ready(short)
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `a repeated head has its response, long or short, at once or later`(_ transport: Transport) async throws {
        try await withServer(certificate: try transport.certificate, Changing()) { _, port in
            try await withClient(port, tls: transport.offer) { client throws in
                let head = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
                func receive(_ numbers: Range<Int>) throws {
                    for number in numbers {
                        let body = try client.receive().body
                        #expect(number % 4 == 1 ? body.count == 8 << 20 : body == Array("\(number)".utf8))
                    }
                }
                for number in 0..<12 {
                    try client.send(head)
                    try receive(number..<number + 1)
                }
                for round in 3..<6 {
                    for _ in 0..<4 { try client.send(head) }
                    try receive(round * 4..<round * 4 + 4)
                }
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `a repeated head on a draining server is answered, and ends the connection`(_ transport: Transport)
        async throws
    {
        try await withServer(certificate: try transport.certificate, echo) { server, port in
            let client = try await withClient(port, tls: transport.offer) { client throws in
                for _ in 0..<3 { #expect(try client.get("/t")["Connection"] == nil) }
                return client
            }
            await server.beginDraining()
            let (response, isClosed) = try await onThread { (try client.get("/t"), try client.isClosedByServer()) }
            #expect(response.text == "/t")
            #expect(response["Connection"] == "close")
            #expect(isClosed)
        }
    }

    @Test func `a request that is in use stays as it is`() async throws {
        let seen = Shared<[HTTPRequest]>([])
        let handler = Manner.atHand.handler { request in
            request.principal = 7
            seen.withLock { if $0.count < 4 { $0.append(request) } }
            return HTTPResponse(status: .noContent)
        }
        try await withServer(handler) { _, port in
            try await withClient(port) { client throws in for _ in 0..<8 { _ = try client.get("/") } }
        }
        let requests = seen.withLock { $0 }
        #expect(Set(requests.map(\.serial.number)).count == 4)
        #expect(requests.allSatisfy { $0.principal == 7 })
    }

    @Test func `a repeated request has not the principal of the last one`() async throws {
        let seen = Shared<[UInt32?]>([])
        let handler = Manner.atHand.handler { request in
            seen.withLock { $0.append(request.principal) }
            request.principal = 7
            return HTTPResponse(status: .noContent)
        }
        try await withServer(handler) { _, port in
            try await withClient(port) { client throws in for _ in 0..<4 { _ = try client.get("/") } }
        }
        #expect(seen.withLock { $0 } == [nil, nil, nil, nil])
    }

    @Test func `a repeated key is verified again for other keys and another generation`() async throws {
        struct State {
            var keys = 0
            var generation = 1
            var isIssued = true
            var verified = 0
        }
        let state = Shared(State())
        let keys = [PresentedKeys(), PresentedKeys()]
        let handler = Manner.atHand.handler { request in
            let text = state.withLock { state in
                let (issued, generation) = (state.isIssued, state.generation)
                return
                    switch keys[state.keys].holder(
                        of: request, generation: generation,
                        verify: { _ in
                            state.verified += 1
                            return issued ? KeyHolder(number: UInt32(generation), end: nil, scopes: 0) : nil
                        })
                {
                case .valid(let holder): "\(holder.number)"
                case .unknown: "unknown"
                case nil: "none"
                }
            }
            return HTTPResponse(status: .ok, body: HTTPBody(text: text))
        }
        try await withServer(handler) { _, port in
            try await withClient(port) { client throws in
                func texts() throws -> [String] {
                    try (0..<3).map { _ in try client.get("/", headers: "X-Api-Key: one\r\n").text }
                }
                #expect(try texts() == ["1", "1", "1"])
                state.withLock { $0.generation = 2 }
                #expect(try texts() == ["2", "2", "2"])
                #expect(state.withLock { $0.verified } == 2)
                state.withLock { ($0.keys, $0.isIssued) = (1, false) }
                #expect(try texts() == ["unknown", "unknown", "unknown"])
                state.withLock { $0.keys = 0 }
                #expect(try texts() == ["2", "2", "2"])
                state.withLock { $0.generation = 3 }
                #expect(try texts() == ["unknown", "unknown", "unknown"])
            }
        }
    }
}
