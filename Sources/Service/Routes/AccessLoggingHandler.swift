internal import HTTPServer
internal import Logging

/// Passes requests on and logs the answers.
struct AccessLoggingHandler: HTTPHandler, HTTPOutcomeChanging {
    let upstream: any HTTPHandler
    let mode: HTTPConfiguration.AccessLog
    let logger: Logger

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        try changed(request) { try upstream.answer(to: request) }
    }

    func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse {
        switch outcome {
        case .success(let response): log(response.status, request)
        case .failure(let error): log(HTTPResponse(for: error).status, request)
        }
        return try outcome.get()
    }

    /// Among errors alone, a 503 is a state that was logged when it began, not an event of each request.
    private func log(_ status: HTTPStatus, _ request: HTTPRequest) {
        let isFailure = status.code >= 500
        guard mode == .all ? isFailure || !isProbe(request) : isFailure && status.code != 503 else { return }
        logger.info(
            "request",
            metadata: [
                "method": "\(request.method)", "path": "\(request.rawPath)", "status": .stringConvertible(status.code),
            ])
    }

    private func isProbe(_ request: HTTPRequest) -> Bool {
        ["/livez", "/readyz", "/healthz"].contains(request.rawPath)
    }
}
