import HTTPServer
import TestSupport
import Testing

@Suite struct HTTPServerDeadlineTests {
    private var options: HTTPServerOptions {
        var options = HTTPServerOptions()
        options.requestDeadline = .milliseconds(60)
        return options
    }

    @Test func answersARequestThatTheHandlerForgot() async throws {
        let gate = Gate()
        let handler = handler { _ in
            await gate.pass()
            return HTTPResponse(status: .ok, body: HTTPBody(text: "late"))
        }
        try await withServer(options: options, handler) { server, port in
            let (response, isClosed) = try await onThread {
                let client = try RawClient(port: port)
                return (try client.get("/"), try client.isClosedByServer())
            }
            #expect(response.status == 504)
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(isClosed)
            #expect(await server.outstandingCount() == 0)
            gate.open()
        }
    }

    @Test func dropsALateAnswerAndItsBody() async throws {
        let gate = Gate()
        let source = HTTPServerBodyTests.Source(size: 100)
        let handler = handler { request in
            guard request.hasRawPath("/slow".utf8) else { return HTTPResponse(status: .ok) }
            await gate.pass()
            return try await source.respond(to: request)
        }
        try await withServer(options: options, handler) { server, port in
            let late = try await onThread { try RawClient(port: port).get("/slow").status }
            #expect(late == 504)
            let next = try await onThread {
                let client = try RawClient(port: port)
                gate.open()
                return try client.get("/quick").status
            }
            #expect(next == 200)
            try await eventually { source.count == 1 && source.aliveCount == 0 }
        }
    }
}
