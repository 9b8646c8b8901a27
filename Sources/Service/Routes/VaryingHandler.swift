internal import HTTPServer

/// Passes requests on, and says of an error by which headers it varies: what is missing for one audience may be there
/// for another. An answer says it itself.
struct VaryingHandler: HTTPHandler {
    private let upstream: any HTTPHandler
    private let head: HTTPHeaderBlock

    private init(upstream: any HTTPHandler, head: HTTPHeaderBlock) {
        self.upstream = upstream
        self.head = head
    }

    /// A handler whose errors say so; the handler itself where nothing varies.
    static func around(_ handler: some HTTPHandler, _ variance: AnswerVariance) -> any HTTPHandler {
        variance.isNone ? handler : VaryingHandler(upstream: handler, head: variance.head)
    }

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        do {
            return try await upstream.respond(to: request)
        } catch let error as any HTTPResponseError {
            var response = error.response
            response.headers.append(head)
            return response
        }
    }
}
