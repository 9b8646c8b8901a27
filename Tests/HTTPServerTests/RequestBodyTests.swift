import TestSupport
import Testing

@testable import HTTPServer

/// Bodies of POSTs, received whole whatever the pieces in which they come.
@Suite(.timeLimit(.minutes(1)))
struct RequestBodyTests {
    private static let limit = 16

    private func with(_ manner: Manner, _ body: (UInt16) throws -> Void) async throws {
        var options = manner.options
        options.maximumBodyBytes = Self.limit
        let echo = manner.handler { request in
            HTTPResponse(
                status: .ok, headers: [:],
                body: HTTPBody(text: "\(request.target) \(String(decoding: request.body, as: UTF8.self))"))
        }
        try await withServer(options: options, echo) { _, port in try body(port) }
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
    func `a long number of zeros is none`(manner: Manner) async throws {
        try await with(manner) { port in
            let client = try RawClient(port: port)
            try client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0000000000000000000003\r\n\r\nabc")
            #expect(try client.receive().text == "/a abc")
            #expect(try client.get("/d").text == "/d ")
        }
    }
}
