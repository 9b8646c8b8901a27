package import Products

/// Fails or delays on purpose, for drills.
///
/// With an `error` the upstream is never called and may be absent.
package struct FaultProductsProvider: ProductsProvider {
    private let name: String
    private let delay: Duration
    private let source: Result<any ProductsProvider, ProductsFailure>
    private let clock: any Clock<Duration>

    /// Makes a provider in front of `upstream`, which may be absent if there is a failure.
    ///
    /// - Parameter failure: thrown in place of every answer.
    package init(
        name: String = "fault", failure: ProductsFailure? = nil, delay: Duration = .zero,
        upstream: (any ProductsProvider)?, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.name = name
        self.delay = delay
        self.clock = clock
        switch (failure, upstream) {
        case (let failure?, _): source = .failure(failure)
        case (nil, let upstream?): source = .success(upstream)
        case (nil, nil): preconditionFailure("a fault without a failure needs an upstream")
        }
    }

    /// Throws the failure, or returns the upstream's answer, after the delay.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        if delay > .zero { try await clock.sleep(for: delay) }
        let answer = try await source.get().products(for: request)
        return delay > .zero ? answer.adding(TrailStep(node: name, outcome: .delayed)) : answer
    }
}

/// The failures that can be put in place of an answer. The raw value of each is the failure's `token`.
package enum FaultKind: String, Sendable, CaseIterable {
    case none
    case refused
    case reset
    case dns
    case truncated
    case timeout
    case status404 = "status-404"
    case status429 = "status-429"
    case status500 = "status-500"
    case status503 = "status-503"
    case malformed
    case empty

    /// The failure as a provider throws it; nil for ``none``.
    package var failure: ProductsFailure? {
        let detail = "failing on purpose"
        return switch self {
        case .none: nil
        case .refused: .unreachable(.refused, detail: detail)
        case .reset: .unreachable(.reset, detail: detail)
        case .dns: .unreachable(.dns, detail: detail)
        case .truncated: .unreachable(.truncated, detail: detail)
        case .timeout: .timedOut(after: nil)
        case .status404: .upstreamStatus(404, retryAfter: nil)
        case .status429: .upstreamStatus(429, retryAfter: nil)
        case .status500: .upstreamStatus(500, retryAfter: nil)
        case .status503: .upstreamStatus(503, retryAfter: nil)
        case .malformed: .malformed(detail: detail)
        case .empty: .refused(.empty(count: 0, minimum: 1))
        }
    }
}
