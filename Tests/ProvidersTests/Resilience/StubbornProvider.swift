internal import Products
internal import TestSupport

/// A provider that does not care whether anybody still waits: it answers when the test lets it, and not before.
final class StubbornProvider: ProductsProvider {
    private struct State: Sendable {
        var isReleased = false
        var answered = 0
    }

    private let state = Observed(State())

    func release() {
        state.update { $0.isReleased = true }
    }

    /// Returns as soon as it has answered so often.
    func wait(answered count: Int) async {
        await state.wait { $0.answered >= count }
    }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        await state.wait(until: \.isReleased)
        state.update { $0.answered += 1 }
        return ProductsAnswer(snapshot: makeSnapshot())
    }
}
