internal import Products

/// What a graph answers to its very first request, which the service makes itself before anybody depends on the graph.
struct FirstAnswer: Sendable {
    let provider: any ProductsProvider
    /// How long it may take.
    let patience: Duration
    let clock: any Clock<Duration>

    /// The answer; the failure that came instead; nil when neither came in time, or the caller was cancelled.
    ///
    /// It is no client's request, so it opts out of analytics; below `memory` the refresh that it causes counts as any
    /// other. A graph that does not heed its cancellation is left behind.
    func outcome() async -> Result<ProductsAnswer, any Error>? {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<ProductsAnswer, any Error>.self)
        let asking = Task.detached {
            do {
                outcome.yield(.success(try await provider.products(for: ProductsRequest(analyticsOptOut: true))))
            } catch {
                outcome.yield(.failure(error))
            }
        }
        let alarm = Task.detached {
            try await clock.sleep(for: patience)
            outcome.finish()
        }
        defer {
            asking.cancel()
            alarm.cancel()
        }
        return await outcomes.first { _ in true }
    }
}
