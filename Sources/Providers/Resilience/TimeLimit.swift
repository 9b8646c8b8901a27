internal import Products

/// How long a question may take.
///
/// When the time is over, or the caller is cancelled, what is below is cancelled and not waited for: it may be
/// something that cannot be cancelled, such as the refresh of a `memory`. What it still brings is dropped.
struct TimeLimit: Sendable {
    let limit: Duration
    let clock: any Clock<Duration>

    /// The upstream's answer, if it comes in time; else throws `ProductsFailure.timedOut`.
    ///
    /// The request's own deadline is moved forward to this limit's, so that nothing below begins what cannot end in
    /// time.
    func answer(of upstream: any ProductsProvider, to request: ProductsRequest) async throws -> ProductsAnswer {
        let outcome = FirstOutcome<ProductsAnswer>()
        let limited = limited(request)
        let question = Task {
            do {
                outcome.settle(.success(try await upstream.products(for: limited)))
            } catch {
                outcome.settle(.failure(error))
            }
        }
        let alarm = Task {
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            outcome.settle(.failure(ProductsFailure.timedOut(after: limit)))
        }
        defer {
            question.cancel()
            alarm.cancel()
        }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            outcome.settle(.failure(CancellationError()))
        }
    }

    private func limited(_ request: ProductsRequest) -> ProductsRequest {
        var request = request
        let end = ContinuousClock.now + limit
        request.deadline = request.deadline.map { min($0, end) } ?? end
        return request
    }
}
