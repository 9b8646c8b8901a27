internal import Concurrency
internal import Products
internal import TestSupport

@testable internal import Providers

/// Asks a graph like the edge: answers from the lease of the last answer to the same variant as long as that answers, and
/// renews it where it can be renewed.
final class LeasingCaller: ProductsProvider {
    private struct State {
        var leases: [VariantKey.Key: ProductsLease] = [:]
        var answersFromLeases = 0
    }

    private let upstream: any ProductsProvider
    private let division: VariantKey
    private let wall: ManualWallClock
    private let state = Mutex(State())

    init(_ upstream: any ProductsProvider, _ variations: [RequestVariation] = [], wall: ManualWallClock) {
        self.upstream = upstream
        division = VariantKey(variations)
        self.wall = wall
    }

    /// The number of answers for which the graph was not asked.
    var answersFromLeases: Int { state.withLock(\.answersFromLeases) }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let key = division.key(of: request)
        let kept = state.withLock { $0.leases[key] }
        let lease = kept.flatMap { $0.publication.isCurrent ? $0 : $0.renewed() }
        state.withLock { $0.leases[key] = lease }
        if let answer = lease?.answer(for: request, at: wall.now) {
            state.withLock { $0.answersFromLeases += 1 }
            return answer
        }
        let answer = try await upstream.products(for: request)
        if let lease = answer.lease { state.withLock { $0.leases[key] = lease } }
        return answer.withoutLease
    }
}

/// Drops the lease of every answer, so that each request asks the graph.
struct LeaseDroppingProvider: ProductsProvider {
    let upstream: any ProductsProvider

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await upstream.products(for: request).withoutLease
    }
}
