import TestSupport
import Testing

@testable import HTTPServer

/// Bodies of POSTs, received whole whatever the pieces in which they come.
@Suite(.timeLimit(.minutes(1)))
struct RequestBodyTests {
    private static let limit = 16

    /// Takes bodies, but not at every path.
    private final class Taking: HTTPPortHandler {
        let upstream: any HTTPHandler

        init(upstream: any HTTPHandler) { self.upstream = upstream }

        func respond(to request: HTTPRequest) throws -> EventualResponse { try upstream.respond(to: request) }
        func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { HTTPHeaderBlock() }

        func bodyLimit(of head: HTTPRequest) -> Int {
            switch head.rawPath {
            case "/none": 0
            case "/short": 3
            default: RequestBodyTests.limit
            }
        }
    }

    private func with(_ manner: Manner, _ body: (UInt16) throws -> Void) async throws {
        var options = manner.options
        options.maximumBodyBytes = 2 * Self.limit
        let echo = manner.handler { request in
            HTTPResponse(
                status: .ok, headers: [:],
                body: HTTPBody(text: "\(request.target) \(String(decoding: request.body, as: UTF8.self))"))
        }
        try await withServer(options: options, Taking(upstream: echo)) { _, port in try body(port) }
    }

    private static func post(_ body: String, to target: String = "/a") -> String {
        "POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test(arguments: Manner.allCases)
    func `cut anywhere, a body is the same`(manner: Manner) async throws {
        let bytes = Array(Self.post("0123456789abcdef").utf8)
        try await with(manner) { port in
            for cut in 0...bytes.count {
                let client = try RawClient(port: port)
                try client.send(Array(bytes[..<cut]))
                try client.send(Array(bytes[cut...]))
                let response = try client.receive()
                #expect(response.status == 200 && response.text == "/a 0123456789abcdef", "\(cut)")
            }
        }
    }

    @Test(arguments: Manner.allCases)
    func `requests in a row are told apart`(manner: Manner) async throws {
        let get = "GET /b HTTP/1.1\r\nHost: a\r\n\r\n"
        let all = Self.post("GET / HTTP/1.1\r\n") + get + Self.post("") + Self.post("x", to: "/c") + "\r\n" + get
        try await with(manner) { port in
            for pieces in [all.utf8.count, 40, 7, 1] {
                let client = try RawClient(port: port)
                let bytes = Array(all.utf8)
                for start in stride(from: 0, to: bytes.count, by: pieces) {
                    try client.send(Array(bytes[start..<min(start + pieces, bytes.count)]))
                }
                let texts = try (0..<5).map { _ in try client.receive().text }
                #expect(texts == ["/a GET / HTTP/1.1\r\n", "/b ", "/a ", "/c x", "/b "], "\(pieces)")
            }
        }
    }

    @Test(arguments: Manner.allCases)
    func `what is too long, unframed or of another method is refused from its head`(manner: Manner) async throws {
        try await with(manner) { port in
            for (head, status) in [
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 17", 413),
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551617", 413),
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1", 400),
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1x", 400),
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", 400),
                ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", 411),
                ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue", 417),
                ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1", 413),
                ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1", 413),
            ] {
                let client = try RawClient(port: port)
                try client.send(head + "\r\n\r\n")
                #expect(try client.receiveToEnd().status == status, "\(head)")
            }
        }
    }

    @Test(arguments: Manner.allCases)
    func `a body is refused from its head where the path has none, or a shorter one`(manner: Manner) async throws {
        try await with(manner) { port in
            for (target, length) in [("/none", 1), ("/none?/a", 1), ("/short", 4), ("http://b/none", 1)] {
                let client = try RawClient(port: port)
                try client.send("POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
                #expect(try client.receiveToEnd().status == 413, "\(target)")
            }
            for target in ["/short?x", "http://b/short?x", "\r\nPOST /short?x"] {
                let client = try RawClient(port: port)
                let line = target.hasPrefix("\r\n") ? target : "POST \(target)"
                try client.send("\(line) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
                #expect(try client.receive().text == "/short?x abc", "\(target)")
            }
        }
    }

    /// Answers with the length of the body.
    private final class Measuring: HTTPPortHandler {
        func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { HTTPHeaderBlock() }

        func respond(to request: HTTPRequest) -> EventualResponse {
            .ready(HTTPResponse(status: .ok, body: HTTPBody(text: "\(request.bodySize)")))
        }

        func bodyLimit(of head: HTTPRequest) -> Int { head.rawPath == "/none" ? 0 : 1 << 20 }
    }

    /// More of them than a pass of the loop reads on, each in many reads; a third is refused, and a third given up.
    @Test(arguments: Transport.allCases)
    func `large bodies are read in turn, each as a whole`(transport: Transport) async throws {
        let length = 256 << 10
        var options = HTTPServerOptions()
        options.maximumBodyBytes = length
        options.maximumRequestBytes = 128 * length
        try await withServer(options: options, certificate: try transport.certificate, Measuring()) { server, port in
            let clients = try await onThread {
                let clients = try (0..<60).map { number in
                    let client = try RawClient(port: port, tls: transport.offer)
                    let path = number % 3 == 1 ? "/none" : "/a"
                    try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
                    try client.send([UInt8](repeating: 120, count: number % 3 == 2 ? length / 2 : length))
                    if number % 3 == 2 { client.close() }
                    return client
                }
                for (number, client) in clients.enumerated() where number % 3 != 2 {
                    guard number % 3 == 0 else {
                        #expect(try client.receiveToEnd().status == 413)
                        continue
                    }
                    #expect(try client.receive().text == "\(length)")
                    #expect(try client.get("/a").text == "0")
                }
                return clients
            }
            try await eventually { await server.connectionCount() == 20 }
            for client in clients { client.close() }
        }
    }

    /// Thirty-two clients send all but the last byte of a body, and the server keeps no more than four of them.
    @Test func `beyond the budget the oldest unfinished bodies make room`() async throws {
        let length = 256 << 10
        var options = HTTPServerOptions()
        options.maximumBodyBytes = length
        options.maximumRequestBytes = 4 * (length + 1024)
        try await withServer(options: options, Measuring()) { server, port in
            let start = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
            let part = Array(start.utf8) + [UInt8](repeating: 120, count: length - 1)
            let clients = try await onThread {
                try (0..<32).map { _ in
                    let client = try RawClient(port: port)
                    try client.send(part)
                    return client
                }
            }
            try await eventually { await server.connectionCount() <= 4 }
            #expect(try await onThread { try RawClient(port: port).get("/").text } == "0")
            try await onThread {
                try clients[31].send("y")
                #expect(try clients[31].receive().text == "\(length)")
            }
            #expect(await server.refusalCounts()[.evicted] ?? 0 >= 28)
            for client in clients { client.close() }
        }
    }

    @Test(arguments: Manner.allCases)
    func `a long number of zeros is none`(manner: Manner) async throws {
        try await with(manner) { port in
            let client = try RawClient(port: port)
            try client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0000000000000000000003\r\n\r\nabc")
            #expect(try client.receive().text == "/a abc")
            #expect(try client.get("/d").text == "/d ")
        }
    }
}
