package import CoreMetrics

/// Counts and times the requests of one component to its upstream, by outcome.
package struct RequestMeter: Sendable {
    private let label: String
    private let factory: any MetricsFactory
    private let duration: CoreMetrics.Timer
    private let clock = ContinuousClock()

    /// - Parameters:
    ///   - provider: the component's metric label.
    ///   - factory: nil to record nothing.
    package init(provider: String = "", factory: (any MetricsFactory)? = nil) {
        label = provider
        self.factory = factory ?? NOOPMetricsHandler.instance
        duration = CoreMetrics.Timer(
            label: "larder_upstream_request_duration_seconds", dimensions: [("provider", provider)],
            factory: self.factory)
    }

    /// Runs the closure, which sends one request, and records it.
    func measuring(_ send: () async throws -> HTTPClientResponse) async throws -> HTTPClientResponse {
        let start = clock.now
        do {
            let response = try await send()
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
        Counter(
            label: "larder_upstream_requests_total", dimensions: [("provider", label), ("outcome", outcome)],
            factory: factory
        ).increment()
    }
}
