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
    func cutsAfterSoManyBytesOfTheAnnouncedBody(count: Int) async throws {
        try await withServer(delivering(.cut(after: count))) { _, port in
            let (head, sent, isClosed) = try await onThread {
                let client = try RawClient(port: port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try client.receive(bodyless: true)
                return (head, try client.receive(count: count), try client.isClosedByServer())
            }
            #expect(head["Content-Length"] == "10")
            #expect(sent == [UInt8]("0123456789".utf8.prefix(count)))
            #expect(isClosed)
        }
    }

    @Test("sends nothing and ends the connection", arguments: [HTTPDelivery.dropped, .reset])
    func sendsNothing(delivery: HTTPDelivery) async throws {
        try await withServer(delivering(delivery)) { server, port in
            let failure = try await onThread {
                let client = try RawClient(port: port)
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
