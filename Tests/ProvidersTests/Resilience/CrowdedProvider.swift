internal import Concurrency
internal import Products

/// A provider that keeps every caller for a while, and knows how many it had at once.
final class CrowdedProvider: ProductsProvider {
    private let crowd = Mutex((now: 0, most: 0, all: 0))

    /// How many callers there were at once at most, and how many in all.
    var counts: (most: Int, all: Int) { crowd.withLock { ($0.most, $0.all) } }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        crowd.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
        for _ in 0..<5 { await Task.yield() }
        crowd.withLock { $0.now -= 1 }
        return ProductsAnswer(snapshot: Self.snapshot)
    }

    private static let snapshot = makeSnapshot()
}
