package import CoreMetrics
package import Prometheus
package import EventLoop
internal import JSON
internal import Text
internal import Tracing

/// Sends HTTP/1.1 requests on the event loops, with a bounded pool of connections per loop.
///
/// May be used from any thread and task. A caller on one of the loops uses that loop, without a change of thread; all
/// others use the first loop, so that they share its connections. Cancelling the calling task closes the connection at
/// once.
public final class HTTPClient: Sendable {
    private let clients: [LoopHTTPClient]
    private let userAgent: UserAgent
    private let options: HTTPConnectionOptions

    /// Creates a client, which opens no connection before the first request.
    ///
    /// - Parameters:
    ///   - loops: at least one. They must outlive the client: call `shutdown` before theirs.
    ///   - options: of all its connections, which are those of no other client.
    package init(
        loops: [EventLoop], userAgent: UserAgent, options: HTTPConnectionOptions = HTTPConnectionOptions()
    ) {
        precondition(!loops.isEmpty, "an HTTP client needs a loop to live on")
        clients = loops.map(LoopHTTPClient.init)
        self.userAgent = userAgent
        self.options = options
    }

    /// Creates a client on the same loops, to be shut down by itself.
    package func connecting(by options: HTTPConnectionOptions) -> HTTPClient {
        HTTPClient(loops: clients.map(\.loop), userAgent: userAgent, options: options)
    }

    /// Sends a request and returns the whole response, whatever its status, with the body of a 2xx unpacked.
    ///
    /// - Throws: `HTTPClientError`; `CancellationError` when the calling task is cancelled.
    package func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let isFollowed = request.followsRedirects && request.body.isEmpty
        let (response, last) =
            isFollowed ? try await sendFollowingRedirects(request) : (try await perform(request), request)
        return request.discardsBody ? response : try await response.unpacked(for: last)
    }

    /// Makes a TCP connection and closes it without sending anything.
    ///
    /// - Throws: `HTTPClientError`; `CancellationError` when the calling task is cancelled.
    package func connect(to host: String, port: Int, timeout: Duration) async throws {
        let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        let limits = HTTPClientLimits(connectTimeout: timeout, timeout: timeout, body: 0)
        let request = HTTPClientRequest(url: "http://\(authority)", limits: limits)
        _ = try await perform(request, connectsOnly: true)
    }

    /// Ends running and later exchanges with `HTTPClientError.shutDown` and closes the pooled connections. Call it
    /// before the loops are shut down; repeated calls are harmless.
    package func shutdown() async {
        for client in clients { await client.shutdown() }
    }

    /// Sends a request once, without unpacking.
    private func perform(
        _ request: HTTPClientRequest, connectsOnly: Bool = false
    ) async throws -> HTTPClientResponse {
        if let fault = request.fault {
            throw HTTPClientError.other(HTTPClientFailure(url: request.url, detail: fault))
        }
        let content = await options.files?.current() ?? TLSContent()
        let exchange = HTTPExchange(
            request: request, userAgent: userAgent.text, connectsOnly: connectsOnly, options: options, content: content)
        let client = clients.first(where: \.isCurrent) ?? clients[0]
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { client.start(exchange, $0) }
        } onCancel: {
            client.cancel(exchange)
        }
    }

    private static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Sends a request and follows redirects within its own origin and to those that it names. Other origins are
    /// refused: an upstream could make the service publish what only this machine or its network can read.
    ///
    /// - Returns: the response, and the last request.
    private func sendFollowingRedirects(
        _ request: HTTPClientRequest
    ) async throws -> (HTTPClientResponse, HTTPClientRequest) {
        let trusted = request.redirectOrigins.union(WebAddress(request.url).map { [$0.origin] } ?? [])
        let deadline = ContinuousClock.now + request.limits.timeout
        var hop = request
        for _ in 0...HTTPClientRequest.maxRedirects {
            hop.limits.timeout = min(request.limits.timeout, ContinuousClock.now.duration(to: deadline))
            let response = try await perform(hop)
            guard Self.redirectStatuses.contains(response.status), let location = response.headers["Location"] else {
                return (response, hop)
            }
            hop.url = try Self.target(location, of: hop, within: trusted).text
            if response.status == 303, hop.method != "HEAD" { hop.method = "GET" }
        }
        throw HTTPClientError.tooManyRedirects(
            HTTPClientFailure(url: hop.url, detail: "more than \(HTTPClientRequest.maxRedirects)"))
    }

    /// Resolves the target of a redirect, which must have one of these origins.
    static func target(
        _ location: String, of hop: HTTPClientRequest, within trusted: Set<WebOrigin>
    ) throws(HTTPClientError) -> WebAddress {
        guard let from = WebAddress(hop.url), let target = from.resolving(location) else {
            throw .redirectedAway(HTTPClientFailure(url: hop.url, detail: "to an invalid URL"))
        }
        guard target.origin.scheme == "https" || from.origin.scheme == "http" else {
            let detail = "to \(TextExcerpt("\(target.origin)")), without TLS"
            throw .redirectedAway(HTTPClientFailure(url: hop.url, detail: detail))
        }
        guard trusted.contains(target.origin) else {
            let detail = "to \(TextExcerpt("\(target.origin)")), which is not among redirect_origins"
            throw .redirectedAway(HTTPClientFailure(url: hop.url, detail: detail))
        }
        return target
    }
}

/// The `User-Agent` of all requests.
package struct UserAgent: Sendable, Hashable {
    /// `larder/<version>`.
    let text: String

    package init(version: String) {
        text = "larder/\(version)"
    }
}

/// Sends requests to upstreams: the HTTP client, or a decorator of another session.
package protocol HTTPSession: Sendable {
    /// Sends a request and returns the whole response, whatever its status.
    ///
    /// - Throws: `HTTPClientError`; `CancellationError` when the calling task is cancelled.
    func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse
}

extension HTTPClient: HTTPSession {}

/// Counts and times the requests of one component to its upstream, by outcome. Within a trace each is a span, which the
/// upstream gets as its parent.
package struct MeteredHTTPSession: HTTPSession {
    private let session: any HTTPSession
    private let label: String
    private let factory: (any MetricsFactory)?
    private let duration: CoreMetrics.Timer
    private let clock = ContinuousClock()

    /// - Parameters:
    ///   - provider: the component's metric label.
    ///   - factory: nil to record nothing.
    package init(_ session: any HTTPSession, provider: String, factory: (any MetricsFactory)?) {
        self.session = session
        label = provider
        self.factory = factory
        duration = MetricDescription.upstreamRequestDuration.timer([("provider", provider)], in: factory)
    }

    package func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let start = clock.now
        let span = Span.current?.child(request.method, .client)
        do {
            let response = try await session.send(span.map(request.traced) ?? request)
            let isUsable = (200...299).contains(response.status) || response.status == 304
            record(isUsable ? "ok" : "status-\(response.status)", since: start)
            span?.end(
                request.attributes + [SpanAttribute("http.response.status_code", response.status)],
                failure: response.status < 400 ? nil : SpanFailure("\(response.status)"))
            return response
        } catch {
            let token = (error as? HTTPClientError)?.token ?? (error is CancellationError ? "cancelled" : "other")
            record(token, since: start)
            span?.end(
                request.attributes,
                failure: error is CancellationError ? nil : SpanFailure(token))
            throw error
        }
    }

    /// Looks the counter up each time: the outcome may be any status, and the exchange costs far more.
    private func record(_ outcome: String, since start: ContinuousClock.Instant) {
        duration.recordSeconds((clock.now - start) / .seconds(1))
        MetricDescription.upstreamRequests.counter([("provider", label), ("outcome", outcome)], in: factory).increment()
    }
}

extension HTTPClientRequest {
    /// The request with the span as its parent.
    fileprivate func traced(by span: Span) -> HTTPClientRequest {
        var request = self
        request.headers.replace(
            with: [HTTPHeader("traceparent", span.traceParent)]
                + (span.context.state.map { [HTTPHeader("tracestate", $0)] } ?? []))
        return request
    }

    /// The facts for a span. Paths and the texts of errors may hold secrets.
    fileprivate var attributes: [SpanAttribute] {
        let origin = WebOrigin(url)
        return [
            SpanAttribute("http.request.method", method),
            SpanAttribute("server.address", origin?.host ?? ""), SpanAttribute("server.port", origin?.port ?? 0),
        ]
    }
}

extension MetricDescription {
    package static let upstreamRequests = MetricDescription(
        "larder_upstream_requests", .counter, "Requests to upstreams, each page being one, by outcome.")
    package static let upstreamRequestDuration = MetricDescription(
        "larder_upstream_request_duration_seconds", .histogram,
        "How long an upstream took for a whole response, or until the request failed.")
}
