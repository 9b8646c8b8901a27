internal import Concurrency
package import Logging
internal import Tracing

/// The responses that are logged.
package enum AccessLogMode: String, Sendable, CaseIterable {
    case off, errors, all
}

/// A line of the access log.
private struct AccessLogEntry {
    /// The most bytes of the path, and of the query, in the log.
    private static let longestPart = 1024

    let request: HTTPRequest
    let response: HTTPResponse
    /// The time from the request to its response; nil if not measured.
    let nanoseconds: Int64?
    /// The name of the request's credential.
    let principal: String?

    var metadata: Logger.Metadata {
        var metadata = request.cause.metadata
        metadata["method"] = "\(request.method)"
        metadata["path"] = .string(Self.bounded(request.rawPath))
        if let query = request.rawQuery { metadata["query"] = .string(Self.bounded(query)) }
        metadata["status"] = .stringConvertible(response.status.code)
        metadata["size"] = .stringConvertible(size)
        if let nanoseconds { metadata["duration_ms"] = .stringConvertible(Double(nanoseconds / 1000) / 1000) }
        metadata["remote"] = .string(request.client)
        metadata["key"] = principal.map { .string($0) }
        return metadata
    }

    private var size: Int {
        let hasNone = request.method == .head || [204, 304].contains(response.status.code)
        return hasNone ? 0 : response.body.count
    }

    /// Cuts between characters, so that the text stays valid.
    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > longestPart else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longestPart)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }
}

/// Logs the responses of handlers. Requests that the server refuses, or answers with 504 after their deadline, are only
/// counted.
///
/// With `all`, probes are logged only if they fail. If only errors are logged, an immediate success costs a comparison:
/// no clock is read.
package final class AccessLogHandler: HTTPPortHandler {
    private let upstream: any HTTPPortHandler
    private let mode: AccessLogMode
    private let logger: Logger
    /// The name of a credential by its number.
    private let principal: (@Sendable (UInt32) -> String)?

    private init(
        upstream: any HTTPPortHandler, mode: AccessLogMode, logger: Logger,
        principal: (@Sendable (UInt32) -> String)?
    ) {
        (self.upstream, self.mode, self.logger, self.principal) = (upstream, mode, logger, principal)
    }

    /// Returns the handler itself if nothing is logged.
    ///
    /// - Parameter principal: the name of a credential by its number.
    package static func middleware(
        _ mode: AccessLogMode, logger: Logger, principal: (@Sendable (UInt32) -> String)? = nil
    ) -> HTTPMiddleware {
        { mode == .off ? $0 : AccessLogHandler(upstream: $0, mode: mode, logger: logger, principal: principal) }
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        let start = mode == .all ? MonotonicTime.nanoseconds : nil
        let eventual: EventualResponse
        do {
            eventual = try upstream.respond(to: request)
        } catch {
            log(HTTPResponse(for: error), request, start)
            throw error
        }
        if let status = eventual.status, !isLogged(status, request) { return eventual }
        switch eventual {
        case .ready(let response):
            log(response, request, start)
            return eventual
        case .pending(let rest):
            let start = start ?? MonotonicTime.nanoseconds
            return .pending { [self] in try await logged(request, start, rest) }
        }
    }

    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { upstream.fields(for: refused) }

    package func bodyLimit(of head: HTTPRequest) -> Int { upstream.bodyLimit(of: head) }

    private func logged(
        _ request: HTTPRequest, _ start: Int64, _ rest: @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            let response = try await rest()
            log(response, request, start)
            return response
        } catch {
            log(HTTPResponse(for: error), request, start)
            throw error
        }
    }

    /// Among errors, a 503 is not logged: the state behind it was logged when it began.
    private func isLogged(_ status: HTTPStatus, _ request: HTTPRequest) -> Bool {
        let isFailure = status.code >= 500
        return mode == .all ? isFailure || !request.isProbe : isFailure && status.code != 503
    }

    private func log(_ response: HTTPResponse, _ request: HTTPRequest, _ start: Int64?) {
        guard isLogged(response.status, request) else { return }
        logger.info(
            "request",
            metadata: AccessLogEntry(
                request: request, response: response, nanoseconds: start.map { MonotonicTime.nanoseconds - $0 },
                principal: request.principal.flatMap { principal?($0) }
            ).metadata)
    }

}

extension HTTPRequest {
    /// Whether it asks for the health of the service.
    var isProbe: Bool { ["/livez", "/readyz", "/healthz"].contains { hasRawPath($0.utf8) } }
}
