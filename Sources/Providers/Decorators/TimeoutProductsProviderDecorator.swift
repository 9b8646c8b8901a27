internal import Concurrency
package import Products

/// Sets a deadline for everything below.
///
/// Above a `retry` it limits all tries and their pauses together, below it each try. A `circuit_breaker` belongs above
/// it: to a provider below, a timeout looks like a cancelled caller.
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

/// A limit on the time of a call.
///
/// On a timeout or a cancellation the call is cancelled but not awaited, because it may ignore that, like the refresh
/// of a `memory`. Its outcome is dropped.
struct TimeLimit: Sendable {
    let limit: Duration
    let clock: any Clock<Duration>

    /// Returns the upstream's answer if it comes in time; else throws `ProductsFailure.timedOut`.
    ///
    /// The request's deadline moves forward to the end of the limit, so that nothing below begins work that cannot end
    /// in time.
    func answer(of upstream: any ProductsProvider, to request: ProductsRequest) async throws -> ProductsAnswer {
        let limited = limited(request)
        let outcome = await firstOutcome(within: limit, clock: clock) { () -> Result<ProductsAnswer, any Error> in
            do {
                return .success(try await upstream.products(for: limited))
            } catch {
                return .failure(error)
            }
        }
        if let outcome { return try outcome.get() }
        if Task.isCancelled { throw CancellationError() }
        throw ProductsFailure.timedOut(after: limit)
    }

    private func limited(_ request: ProductsRequest) -> ProductsRequest {
        var request = request
        let end = ContinuousClock.now + limit
        request.deadline = request.deadline.map { min($0, end) } ?? end
        return request
    }
}
