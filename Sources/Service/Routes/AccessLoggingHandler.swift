internal import HTTPServer
internal import Logging

/// Passes requests on and logs the answers. Where errors alone are logged, an answer that is at hand and is none costs
/// a comparison: not even its time is taken.
///
/// What is logged is what the handlers answered. A request that the shim refuses, or answers with 504 because its
/// deadline has passed, does not come by here; the metrics count it.
struct AccessLoggingHandler: HTTPHandler {
    let upstream: any HTTPHandler
    let mode: HTTPConfiguration.AccessLog
    let logger: Logger

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let start = mode == .all ? MonotonicTime.nanoseconds : nil
        let answer: HTTPAnswer
        do {
            answer = try upstream.answer(to: request)
        } catch {
            note(HTTPResponse(for: error), request, start)
            throw error
        }
        switch answer {
        case .ready(let response):
            note(response, request, start)
            return answer
        case .pending(let rest):
            let start = start ?? MonotonicTime.nanoseconds
            return .pending { try await noted(request, start, rest) }
        }
    }

    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { upstream.fields(for: refused) }

    private func noted(
        _ request: HTTPRequest, _ start: Int64, _ rest: @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            let response = try await rest()
            note(response, request, start)
            return response
        } catch {
            note(HTTPResponse(for: error), request, start)
            throw error
        }
    }

    /// Among errors alone, a 503 is a state that was logged when it began, not an event of each request.
    private func note(_ response: HTTPResponse, _ request: HTTPRequest, _ start: Int64?) {
        let isFailure = response.status.code >= 500
        guard mode == .all ? isFailure || !isProbe(request) : isFailure && response.status.code != 503 else { return }
        logger.info(
            "request",
            metadata: AccessLogEntry(
                request: request, response: response, nanoseconds: start.map { MonotonicTime.nanoseconds - $0 }
            ).metadata)
    }

    private func isProbe(_ request: HTTPRequest) -> Bool {
        ["/livez", "/readyz", "/healthz"].contains { request.hasRawPath($0.utf8) }
    }
}
