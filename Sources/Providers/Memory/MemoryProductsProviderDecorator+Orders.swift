internal import Concurrency
package import Products
package import Tracing

extension MemoryProductsProviderDecorator: RefreshableProvider {
    /// Refreshes all variants with a known request, and the variant of requests without headers, concurrently.
    ///
    /// An order without force respects the pause after failures. A forced order waits for a running unforced refresh
    /// and then starts its own, since the first may have met only a cache or an open breaker. Every order does so if
    /// the running refresh takes over the catalogue of another replica, which asks no upstream.
    package func refresh(
        _ order: RefreshOrder, for cause: (any RequestIdentitySource)?
    ) async -> [RefreshResult] {
        recordPlainVariant()
        return await withTaskGroup { group in
            for variant in variants.all { group.addTask { await self.refresh(variant, order, cause) } }
            var results: [RefreshResult] = []
            for await case let result? in group { results.append(result) }
            return results
        }
    }

    package var changes: AsyncStream<Void> { replacements.changes }

    /// Releases a withdrawn publication, outside the lock.
    func release(_ publication: CataloguePublication?) {
        guard let publication else { return }
        publication.release()
        replacements.send()
    }

    /// Returns nil for a variant without a known request, which is refreshed behind its next answer.
    private func refresh(
        _ variant: MemoryVariant, _ order: RefreshOrder, _ cause: (any RequestIdentitySource)?
    ) async -> RefreshResult? {
        let before = variant.state.withLock(\.served)
        while true {
            switch begin(order, cause, in: variant) {
            case .unknown: return nil
            case .paused(let failure): return result(.failure(failure), before, variant)
            case .running(let refresh, let isLesser):
                let outcome = await refresh.value
                if isLesser { continue }
                return result(outcome, before, variant)
            }
        }
    }

    private enum RefreshStart {
        case unknown
        case paused(ProductsFailure)
        /// - isLesser: whether the refresh asks for less than the order would.
        case running(Task<Outcome, Never>, isLesser: Bool)
    }

    private func begin(
        _ order: RefreshOrder, _ cause: (any RequestIdentitySource)?, in variant: MemoryVariant
    ) -> RefreshStart {
        let (start, replaced) = variant.state.withLock { state -> (RefreshStart, CataloguePublication?) in
            guard let headers = state.headers else {
                state.memory.expectChange()
                return (.unknown, state.withdrawn())
            }
            let now = uptime.now
            let starts = state.run == nil || order.supersedes
            if starts, !order.isForced, let pause = state.memory.holdOff.remaining(at: now) {
                return (.paused(state.memory.paused(for: pause)), nil)
            }
            let run = starts ? nil : state.run
            let isLesser = run.map { $0.isFollowing || order.isForced && $0.order?.isForced != true } ?? false
            var request = ProductsRequest(headers: headers, revalidates: order.revalidates)
            (request.cause, request.order) = (cause, order)
            let refresh = startedRefresh(of: variant, &state, request, supersedes: order.supersedes)
            return (.running(refresh, isLesser: isLesser), nil)
        }
        release(replaced)
        return start
    }

    /// - Parameter outcome: nil if no upstream was asked.
    func result(_ outcome: Outcome?, _ before: Catalogue?, _ variant: MemoryVariant) -> RefreshResult {
        let (after, isPinned) = variant.state.withLock {
            ($0.served, $0.override != nil || $0.memory.standing == .pinned)
        }
        let failure = outcome.flatMap(MemoryState.cause)
        let change = before?.revision == after?.revision ? RefreshResult.Outcome.unchanged : .fetched
        return RefreshResult(
            failure == nil ? change : .failed, failure: failure, before: before, after: after, isPinned: isPinned)
    }
}
