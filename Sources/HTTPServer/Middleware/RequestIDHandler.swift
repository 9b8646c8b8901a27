package import Tracing

/// Adds the request's identifier to responses of 400 or more, so that a complaint can name it.
package final class RequestIDHandler: HTTPPortHandler {
    /// The header field of requests and responses.
    static let field = "X-Request-Id"

    private let upstream: any HTTPPortHandler
    private let naming = HTTPOutcomeChanger(by: RequestNaming())

    package static let middleware: HTTPMiddleware = { RequestIDHandler(upstream: $0) }

    private init(upstream: any HTTPPortHandler) { self.upstream = upstream }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        let eventual: EventualResponse
        do {
            eventual = try upstream.respond(to: request)
        } catch {
            return try naming.respond(to: request) { throw error }
        }
        if let status = eventual.status, status.code < 400 { return eventual }
        return try naming.respond(to: request) { eventual }
    }

    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
        let serial = (refused.serial.server, refused.serial.number)
        var fields = upstream.fields(for: refused)
        try? fields.append(Self.field, RequestIdentity(givenID: refused.givenID, serial: serial).id)
        return fields
    }

    package func bodyLimit(of head: HTTPRequest) -> Int { upstream.bodyLimit(of: head) }
}

/// Names the request in error responses.
private struct RequestNaming: HTTPOutcomeChange {
    func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse {
        switch outcome {
        case .success(let response): return response.status.code < 400 ? response : named(response, request)
        case .failure(let error as any HTTPResponseError): return named(error.response, request)
        case .failure(let error):
            throw HTTPUnexpectedError(
                cause: (error as? HTTPUnexpectedError)?.cause ?? error,
                response: named(HTTPResponse(for: error), request))
        }
    }

    /// Appending cannot fail: an identifier is valid in a header.
    private func named(_ response: HTTPResponse, _ request: HTTPRequest) -> HTTPResponse {
        var response = response
        try? response.headers.append(RequestIDHandler.field, request.identifier)
        return response
    }
}

extension HTTPRequest: RequestIdentitySource {
    /// The identity for the graph, its upstreams and the log, the same at each call. A request without such fields
    /// costs one pass over the head.
    package var cause: RequestIdentity {
        let serial = (serial.server, serial.number)
        guard isCorrelated else { return RequestIdentity(serial: serial) }
        return RequestIdentity(givenID: header(RequestIDHandler.field), serial: serial, trace: trace)
    }

    /// The identifier alone, without parsing a trace.
    fileprivate var identifier: String {
        let givenID = isCorrelated ? header(RequestIDHandler.field) : nil
        return RequestIdentity(givenID: givenID, serial: (serial.server, serial.number)).id
    }

    /// The trace of the client; nil without one.
    var trace: TraceContext? {
        guard let parent = header("traceparent") else { return nil }
        let context = TraceContext(parent: parent, state: header("tracestate"))
        return isSampled.flatMap { context?.sampled($0) } ?? context
    }
}
