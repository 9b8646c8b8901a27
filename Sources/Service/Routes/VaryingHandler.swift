internal import HTTPServer

/// Passes requests on, and says of an error by which headers it varies: what is missing for one audience may be there
/// for another. An answer says it itself, and so does an error that has a variance of its own.
struct VaryingHandler: HTTPHandler, HTTPOutcomeChanging {
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

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        try changed(request) { try upstream.answer(to: request) }
    }

    func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse {
        do {
            return try outcome.get()
        } catch let error as any HTTPResponseError {
            var response = error.response
            if !response.headers.contains("Vary") { response.headers.append(head) }
            return response
        }
    }
}
