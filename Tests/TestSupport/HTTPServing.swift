package import EventLoop
package import HTTPServer

/// A handler made of a closure, which is always waited for.
package struct ClosureHTTPHandler: HTTPHandler {
    private let make: @Sendable (HTTPRequest) async throws -> HTTPResponse

    package init(_ make: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.make = make
    }

    package func respond(to request: HTTPRequest) -> EventualResponse {
        .pending { try await make(request) }
    }
}

/// A port with one handler for all requests, which takes no bodies.
package final class BarePort: HTTPPortHandler {
    private let handler: any HTTPHandler

    package init(_ handler: any HTTPHandler) { self.handler = handler }

    package func respond(to request: HTTPRequest) throws -> EventualResponse { try handler.respond(to: request) }
    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { HTTPHeaderBlock() }
    package func bodyLimit(of head: HTTPRequest) -> Int { 0 }
}

extension HTTPHandler {
    /// The response to a request, whether it is immediate or has to be waited for.
    package func response(to request: HTTPRequest) async throws -> HTTPResponse {
        try await respond(to: request).response
    }
}

extension HTTPServer {
    /// A server with one handler for all its loops.
    package convenience init(
        loops: [EventLoop], address: HTTPAddress, options: HTTPServerOptions = HTTPServerOptions(),
        certificate: TLSCertificate? = nil, handler: any HTTPHandler,
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        self.init(
            loops: loops, address: address, options: options, certificate: certificate,
            handlers: loops.map { _ in handler as? any HTTPPortHandler ?? BarePort(handler) }, onError: onError)
    }
}

extension HTTPBody {
    /// The bytes as text; what is not UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension HTTPHeaderBlock {
    /// The value of the first field of this name, whatever its case.
    package func first(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
