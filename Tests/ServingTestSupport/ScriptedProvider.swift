internal import Concurrency
package import FoundationEssentials
package import Products

/// Gives the outcome that the test sets, and counts how often it was asked.
package final class ScriptedProvider: ProductsProvider {
    private let state: Mutex<(outcome: Result<ProductsAnswer, any Error>, asked: Int)>
    /// The date of answers when they are given; nil for answers that keep their date.
    private let now: (@Sendable () -> Date)?

    package init(_ outcome: Result<ProductsAnswer, any Error>) {
        state = Mutex((outcome, 0))
        now = nil
    }

    /// A source that has this catalogue, fetched whenever it is asked.
    package init(_ catalogue: Catalogue, now: @escaping @Sendable () -> Date) {
        state = Mutex((.success(makeAnswer(catalogue)), 0))
        self.now = now
    }

    package var outcome: Result<ProductsAnswer, any Error> {
        get { state.withLock(\.outcome) }
        set { state.withLock { $0.outcome = newValue } }
    }

    package var asked: Int { state.withLock(\.asked) }

    package func serve(_ names: [String]) throws { outcome = .success(makeAnswer(try makeCatalogue(names))) }

    /// Fails like an upstream that answers 503.
    package func fail() { outcome = .failure(ProductsFailure.upstreamStatus(503, retryAfter: nil)) }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let outcome = state.withLock { state in
            state.asked += 1
            return state.outcome
        }
        let answer = try outcome.get()
        return now.map { makeAnswer(answer.snapshot.catalogue, fetchedAt: $0()) } ?? answer
    }
}
