import EventLoop
import HTTPServer

/// Runs a server with its own loops for the time of a test.
func withServer(
    loops count: Int = 1, options: HTTPServerOptions = HTTPServerOptions(), certificate: TLSCertificate? = nil,
    errors: Counter = Counter(), _ handler: any HTTPHandler, _ body: (HTTPServer, UInt16) async throws -> Void
) async throws {
    let group = try EventLoopGroup(count: count)
    let server = HTTPServer(
        loops: group.loops, address: HTTPAddress(host: "127.0.0.1", port: 0), options: options,
        certificate: certificate, handler: handler, onError: { _, _ in errors.increment() })
    do {
        try await server.start()
        try await body(server, server.port ?? 0)
    } catch {
        await server.stop(deadline: .zero)
        await group.shutdown()
        throw error
    }
    await server.stop(deadline: .zero)
    await group.shutdown()
}

/// A handler made of a closure, with the type spelled out so that literals need not.
func handler(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) -> ClosureHTTPHandler {
    ClosureHTTPHandler(answer)
}

/// Answers with the request's own target.
let echo = handler { request in
    HTTPResponse(status: .ok, headers: ["Content-Type": "text/plain"], body: HTTPBody(text: request.target))
}
