import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPServerDeliveryTests {
    private func delivering(_ delivery: HTTPDelivery) -> ClosureHTTPHandler {
        handler { _ in
            var response = HTTPResponse(status: .ok, body: HTTPBody(text: "0123456789"))
            response.delivery = delivery
            return response
        }
    }

    @Test(arguments: [0, 4, 9])
    func `cuts after so many bytes of the announced body`(count: Int) async throws {
        try await withServer(delivering(.cut(after: count))) { _, port in
            let (head, sent, isClosed) = try await withClient(port) { client in
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try client.receive(bodyless: true)
                return (head, try client.receive(count: count), try client.isClosedByServer())
            }
            #expect(head["Content-Length"] == "10")
            #expect(sent == [UInt8]("0123456789".utf8.prefix(count)))
            #expect(isClosed)
        }
    }

    @Test(arguments: [HTTPDelivery.dropped, .reset])
    func `sends nothing and ends the connection`(delivery: HTTPDelivery) async throws {
        try await withServer(delivering(delivery)) { server, port in
            let failure = try await withClient(port) { client in
                do {
                    _ = try client.get("/")
                    return RawClient.Failure?.none
                } catch let failure as RawClient.Failure {
                    return failure
                }
            }
            #expect(failure == (delivery == .reset ? .failed(104) : .closed(after: 0)))
            try await eventually { await server.connectionCount() == 0 }
            #expect(await server.outstandingCount() == 0)
        }
    }
}

@Suite struct HTTPServerDeadlineTests {
    private var options: HTTPServerOptions {
        var options = HTTPServerOptions()
        options.requestDeadline = .milliseconds(60)
        return options
    }

    @Test func `answers a request that the handler forgot`() async throws {
        let gate = Gate()
        let handler = handler { _ in
            await gate.pass()
            return HTTPResponse(status: .ok, body: HTTPBody(text: "late"))
        }
        try await withServer(options: options, handler) { server, port in
            let (response, isClosed) = try await withClient(port) { client in
                (try client.get("/"), try client.isClosedByServer())
            }
            #expect(response.status == 504)
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(isClosed)
            #expect(await server.outstandingCount() == 0)
            gate.open()
        }
    }

    @Test func `drops a late answer and its body`() async throws {
        let gate = Gate()
        let source = HTTPServerBodyTests.Source(size: 100)
        let handler = handler { request in
            guard request.hasRawPath("/slow".utf8) else { return HTTPResponse(status: .ok) }
            await gate.pass()
            return try await source.response(to: request)
        }
        try await withServer(options: options, handler) { server, port in
            let late = try await onThread { try RawClient(port: port).get("/slow").status }
            #expect(late == 504)
            let next = try await withClient(port) { client in
                gate.open()
                return try client.get("/quick").status
            }
            #expect(next == 200)
            try await eventually { source.count == 1 && source.aliveCount == 0 }
        }
    }
}
