internal import Concurrency
internal import Text
package import Tracing

/// Records a span for each sampled request, and for each that fails with a status of 500 or more.
///
/// The decision of a caller that is heeded counts in place of the share: its sampled requests are recorded, the others
/// only if they fail. Any other caller's trace goes on with the decision that is made here, so that a client cannot have
/// its requests recorded, by this service or by the upstream. The trace of a request without a caller has the identifier
/// that the request gets for the log. Probes are not recorded.
package final class TracingHandler: HTTPPortHandler {
    /// The most characters of a text from the client.
    private static let longest = 256

    private let upstream: any HTTPPortHandler
    private let tracer: Tracer
    private let rules: TraceRules
    private let routes: [RoutePattern]
    private let scheme: String

    private init(
        upstream: any HTTPPortHandler, tracer: Tracer, rules: TraceRules, routes: [RoutePattern], scheme: String
    ) {
        (self.upstream, self.tracer, self.rules, self.routes, self.scheme) = (upstream, tracer, rules, routes, scheme)
    }

    /// Returns the handler itself if nothing is recorded.
    ///
    /// - Parameter routes: the patterns that name spans; the first that matches counts.
    package static func middleware(
        _ rules: TraceRules?, by tracer: Tracer, routes: [RoutePattern], isEncrypted: Bool
    ) -> HTTPMiddleware {
        { handler in
            rules.map {
                TracingHandler(
                    upstream: handler, tracer: tracer, rules: $0, routes: routes,
                    scheme: isEncrypted ? "https" : "http")
            } ?? handler
        }
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        let named = request.trace
        let isHeeded = rules.parent == .honour || rules.parent == .trusted && request.isProxied
        let decision = isHeeded ? named?.isSampled : nil
        let isSampled = decision ?? rules.sampling.chooses(request.serial.server, request.serial.number)
        if decision == nil, named != nil { request.isSampled = isSampled }
        let caller = named?.sampled(isSampled)
        let span = isSampled ? span(of: request, caller, at: MonotonicTime.nanoseconds) : nil
        let eventual: EventualResponse
        do {
            // The access log names the span.
            eventual =
                try span.map { span in try Span.$current.withValue(span) { try upstream.respond(to: request) } }
                ?? upstream.respond(to: request)
        } catch {
            end(span, of: request, caller, with: HTTPResponse(for: error).status)
            throw error
        }
        switch eventual {
        case .ready(let response):
            end(span, of: request, caller, with: response.status)
            return eventual
        case .pending(let rest):
            guard span != nil || rules.recordsFailures else { return eventual }
            let start = MonotonicTime.nanoseconds
            return .pending { [self] in
                do {
                    let response = try await Span.$current.withValue(span, operation: rest)
                    end(span, of: request, caller, with: response.status, since: start)
                    return response
                } catch {
                    end(span, of: request, caller, with: HTTPResponse(for: error).status, since: start)
                    throw error
                }
            }
        }
    }

    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { upstream.fields(for: refused) }

    package func bodyLimit(of head: HTTPRequest) -> Int { upstream.bodyLimit(of: head) }

    /// Ends the span of a request, or records one after a failure.
    ///
    /// - Parameter start: the start of a request that has no span, by the monotonic clock; nil if it was answered at once.
    private func end(
        _ span: Span?, of request: HTTPRequest, _ caller: TraceContext?, with status: HTTPStatus,
        since start: Int64? = nil
    ) {
        let isFailure = status.code >= 500
        guard span != nil || isFailure && rules.recordsFailures else { return }
        let span = span ?? self.span(of: request, caller, at: start ?? MonotonicTime.nanoseconds)
        span?.end(attributes(of: request, status), failure: isFailure ? SpanFailure("\(status.code)") : nil)
    }

    /// Begins the span of a request; nil for a probe.
    private func span(of request: HTTPRequest, _ caller: TraceContext?, at start: Int64) -> Span? {
        if request.isProbe { return nil }
        let serial = (request.serial.server, request.serial.number)
        let context = caller ?? TraceContext(traceID: RequestIdentity(serial: serial).id)
        let name = ["\(request.method)", route(of: request)].compactMap(\.self).joined(separator: " ")
        return tracer.begin(name, .server, in: context, at: start)
    }

    private func route(of request: HTTPRequest) -> String? {
        request.isPathTooLong ? nil : routes.first { request.parameters(of: $0) != nil }?.description
    }

    private func attributes(of request: HTTPRequest, _ status: HTTPStatus) -> [SpanAttribute] {
        var attributes = [
            SpanAttribute("http.request.method", request.method == .other ? "_OTHER" : request.method.description),
            SpanAttribute("http.response.status_code", status.code), SpanAttribute("url.scheme", scheme),
            SpanAttribute("url.path", "\(TextExcerpt(request.rawPath, limit: Self.longest))"),
            SpanAttribute("client.address", request.client), SpanAttribute("larder.request_id", request.cause.id),
        ]
        func add(_ name: String, _ text: String?) {
            if let text { attributes.append(SpanAttribute(name, "\(TextExcerpt(text, limit: Self.longest))")) }
        }
        add("http.route", route(of: request))
        add("url.query", request.rawQuery)
        add("user_agent.original", request.header("User-Agent"))
        if let host = request.header("Host") {
            let port = host.lastIndex(of: ":").flatMap { Int(host[host.index(after: $0)...]) }
            add("server.address", port == nil ? host : String(host[..<(host.lastIndex(of: ":") ?? host.endIndex)]))
            if let port { attributes.append(SpanAttribute("server.port", port)) }
        }
        return attributes
    }
}
