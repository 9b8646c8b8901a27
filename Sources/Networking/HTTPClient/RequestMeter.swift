public import CoreMetrics

/// Measures the requests that one component sends to its upstream: how many with what outcome, and how long they took.
public struct RequestMeter: Sendable {
    private let label: String
    private let factory: any MetricsFactory
    private let duration: CoreMetrics.Timer
    private let clock = ContinuousClock()

    /// A meter.
    ///
    /// - Parameters:
    ///   - provider: what metrics call the component.
    ///   - factory: where it is recorded; nowhere unless given.
    public init(provider: String = "", factory: (any MetricsFactory)? = nil) {
        label = provider
        self.factory = factory ?? NOOPMetricsHandler.instance
        duration = CoreMetrics.Timer(
            label: "larder_upstream_request_duration_seconds", dimensions: [("provider", provider)],
            factory: self.factory)
    }

    /// Does what sends one request, and measures it.
    func measuring(_ send: () async throws -> HTTPClientResponse) async throws -> HTTPClientResponse {
        let start = clock.now
        do {
            let response = try await send()
            note(RequestOutcome(response), since: start)
            return response
        } catch {
            note(RequestOutcome(error), since: start)
            throw error
        }
    }

    /// An outcome is looked up each time: it may be any status, and an exchange costs far more.
    private func note(_ outcome: RequestOutcome, since start: ContinuousClock.Instant) {
        duration.recordSeconds((clock.now - start) / .seconds(1))
        Counter(
            label: "larder_upstream_requests_total", dimensions: [("provider", label), ("outcome", outcome.token)],
            factory: factory
        ).increment()
    }
}

/// What came of a request to an upstream, in one word of a bounded set.
struct RequestOutcome: Sendable, Hashable {
    /// `ok` for what a catalogue can be made of, `status-503` for another response, `cancelled`, or the token of the
    /// `HTTPClientError`.
    let token: String

    init(_ response: HTTPClientResponse) {
        token = (200...299).contains(response.status) || response.status == 304 ? "ok" : "status-\(response.status)"
    }

    init(_ error: any Error) {
        switch error {
        case let error as HTTPClientError: token = error.token
        case is CancellationError: token = "cancelled"
        default: token = "other"
        }
    }
}
