package import CoreMetrics
package import Prometheus

/// Sends requests to upstreams: the HTTP client, or a decorator of another session.
package protocol HTTPSession: Sendable {
    /// Sends a request and returns the whole response, whatever its status.
    ///
    /// - Throws: `HTTPClientError`; `CancellationError` when the calling task is cancelled.
    func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse
}

extension HTTPClient: HTTPSession {}

/// Counts and times the requests of one component to its upstream, by outcome.
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
        do {
            let response = try await session.send(request)
            let isUsable = (200...299).contains(response.status) || response.status == 304
            record(isUsable ? "ok" : "status-\(response.status)", since: start)
            return response
        } catch {
            record(
                (error as? HTTPClientError)?.token ?? (error is CancellationError ? "cancelled" : "other"), since: start
            )
            throw error
        }
    }

    /// Looks the counter up each time: the outcome may be any status, and the exchange costs far more.
    private func record(_ outcome: String, since start: ContinuousClock.Instant) {
        duration.recordSeconds((clock.now - start) / .seconds(1))
        MetricDescription.upstreamRequests.counter([("provider", label), ("outcome", outcome)], in: factory).increment()
    }
}

extension MetricDescription {
    package static let upstreamRequests = MetricDescription(
        "larder_upstream_requests", .counter, "Requests to upstreams, each page being one, by outcome.")
    package static let upstreamRequestDuration = MetricDescription(
        "larder_upstream_request_duration_seconds", .histogram,
        "How long an upstream took for a whole response, or until the request failed.")
}
