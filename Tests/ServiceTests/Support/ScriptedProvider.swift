import Concurrency
import Products

/// Gives what the test tells it to, and counts how often it was asked.
final class ScriptedProvider: ProductsProvider {
    private let state: Mutex<(outcome: Result<ProductsAnswer, any Error>, asked: Int)>

    init(_ outcome: Result<ProductsAnswer, any Error>) {
        state = Mutex((outcome, 0))
    }

    var outcome: Result<ProductsAnswer, any Error> {
        get { state.withLock(\.outcome) }
        set { state.withLock { $0.outcome = newValue } }
    }

    var asked: Int { state.withLock(\.asked) }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let outcome = state.withLock { state in
            state.asked += 1
            return state.outcome
        }
        return try outcome.get()
    }
}
