internal import Logging
internal import Products

/// The graph of one edition as requests see it: passes everything through, and tells readiness what became of it.
///
/// Logs when nothing can be served any more, unless `memory` does, which knows more about it.
struct WatchedProductsProvider: ProductsProvider {
    let upstream: any ProductsProvider
    let readiness: ReadinessTracker
    /// Whose graph it is.
    let edition: Int
    let logger: Logger

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            let answer = try await upstream.products(for: request)
            readiness.note(answer, of: edition)
            return answer
        } catch {
            if readiness.noteFailure(error, of: edition) { report(error) }
            throw error
        }
    }

    private func report(_ error: any Error) {
        if case ProductsFailure.unavailable = error { return }
        logger.warning("the graph fails, nothing to serve", metadata: ["error": "\(error)"])
    }
}
