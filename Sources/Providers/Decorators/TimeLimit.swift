internal import Concurrency
internal import Products

/// A limit on the time of a call.
///
/// When the time is over or the caller is cancelled, the call is cancelled and not waited for, because it may not be
/// cancellable, such as the refresh of a `memory`. Its outcome is dropped.
struct TimeLimit: Sendable {
    let limit: Duration
    let clock: any Clock<Duration>

    /// Returns the upstream's answer if it comes in time; else throws `ProductsFailure.timedOut`.
    ///
    /// The request's deadline moves forward to the end of the limit, so that nothing below begins work that cannot end in
    /// time.
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
