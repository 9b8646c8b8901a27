internal import Concurrency
package import HTTPServer
package import Logging
internal import Products
internal import Providers
internal import Tracing

/// The choice of responses that are logged.
package enum AccessLogMode: String, Sendable, CaseIterable {
    case off, errors, all
}

/// Logs answers as the config asks. Probes are logged only when they fail, and each of them only by `all`: that they
/// begin to fail is a line that does not depend on this.
package struct AccessLog: Sendable {
    let mode: AccessLogMode
    let logger: Logger

    package init(mode: AccessLogMode, logger: Logger) {
        self.mode = mode
        self.logger = logger
    }

    /// A handler that logs what another one answers; that other one itself when nothing is logged.
    package func around(_ handler: some HTTPHandler) -> any HTTPHandler {
        mode == .off ? handler : AccessLoggingHandler(upstream: handler, mode: mode, logger: logger)
    }
}

/// One line of the access log.
struct AccessLogEntry {
    /// How many bytes of what a client chose are logged of a part of its request.
    private static let longestPart = 1024

    let request: HTTPRequest
    let response: HTTPResponse
    /// From when the request was there until its answer was; nil where the answer was at hand and nobody looked.
    let nanoseconds: Int64?

    /// Path and query as they came, the answer's status, the bytes of its body, the time it took, the client's address
    /// and what the request is called.
    var metadata: Logger.Metadata {
        var metadata = request.cause.metadata
        metadata["method"] = "\(request.method)"
        metadata["path"] = .string(Self.bounded(request.rawPath))
        if let query = request.rawQuery { metadata["query"] = .string(Self.bounded(query)) }
        metadata["status"] = .stringConvertible(response.status.code)
        metadata["size"] = .stringConvertible(size)
        if let nanoseconds { metadata["duration_ms"] = .stringConvertible(Double(nanoseconds / 1000) / 1000) }
        metadata["remote"] = .string(request.peer)
        return metadata
    }

    private var size: Int {
        let hasNone = request.method == .head || [204, 304].contains(response.status.code)
        return hasNone ? 0 : response.body.count
    }

    /// Cut between two characters, so that the text stays one.
    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > longestPart else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longestPart)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }
}

/// Passes requests on and logs the answers. Where errors alone are logged, an answer that is at hand and is none costs
/// a comparison: not even its time is taken.
///
/// What is logged is what the handlers answered. A request that the shim refuses, or answers with 504 because its
/// deadline has passed, does not come by here; the metrics count it.
struct AccessLoggingHandler: HTTPHandler {
    let upstream: any HTTPHandler
    let mode: AccessLogMode
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
