package import Products

/// Sets a deadline for everything below.
///
/// Above a `retry` it limits all tries and their pauses together, below it each try. A `circuit_breaker` belongs above
/// it: to a provider below, a timeout looks like a caller that went away.
package struct TimeoutProductsProviderDecorator: ProductsProvider {
    private let upstream: any ProductsProvider
    private let limit: TimeLimit

    /// Decorates `upstream`.
    ///
    /// - Parameter after: the longest time for an answer.
    package init(
        upstream: any ProductsProvider, after limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.upstream = upstream
        self.limit = TimeLimit(limit: limit, clock: clock)
    }

    /// Returns the upstream's answer if it comes in time; else throws `ProductsFailure.timedOut`.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await limit.answer(of: upstream, to: request).passingLease(ofAnyCatalogue: false)
    }
}
