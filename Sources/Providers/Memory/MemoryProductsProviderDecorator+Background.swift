internal import Concurrency
internal import Products

extension MemoryProductsProviderDecorator {
    /// Refreshes whenever freshness ends, without a request, until the task is cancelled. It may run only once.
    ///
    /// Each requested variant is refreshed by a task of its own, and from the start on also the variant of requests
    /// without headers. After a reload the predecessor's variants are refreshed as well.
    package func refreshInBackground() async throws {
        recordPlainVariant()
        await withTaskGroup { group in
            for await variant in variants.refreshable {
                group.addTask { try? await self.refreshInBackground(variant) }
            }
        }
    }

    /// Records the variant of requests without headers, so that it can be refreshed.
    func recordPlainVariant() {
        let plain = ProductsRequest()
        let variant = variant(for: plain)
        variant.withLock { variants.record(variants.division.headers(of: plain), of: variant, &$0) }
    }

    private func refreshInBackground(_ variant: CatalogueInForce) async throws {
        while !Task.isCancelled {
            let due = variant.withLock { $0.memory.nextRefresh(uptime: uptime.now) }
            if due > .zero {
                try await clock.sleep(for: due)
            } else {
                let refresh = variant.withLock { state in
                    let request = ProductsRequest(headers: state.headers ?? [:])
                    return startedRefresh(of: variant, &state, request)
                }
                // On shutdown the refresh is neither cancelled nor awaited: requests may wait for it, and its upstream
                // may hang.
                _ = await firstOutcome { await refresh.value }
            }
        }
    }
}

extension MemoryProductsProviderDecorator {
    /// Returns the outcome of a refresh; nil if it takes longer than a request waits. The refresh then continues, and
    /// until it ends requests that may get a stale answer do not wait.
    func outcome(of refresh: Task<Outcome, Never>, in variant: CatalogueInForce) async -> Outcome? {
        let wait: Task<Outcome?, Never>? = variant.withLock { state in
            guard state.refresh == refresh else { return nil }
            if let wait = state.wait { return wait }
            let left = max(.zero, variants.policy.maxWait - (uptime.now - state.refreshStart))
            let wait = Task.detached { [self] in
                let outcome = await firstOutcome(within: left, clock: clock) { await refresh.value }
                if outcome == nil { reportLate(refresh, in: variant) }
                return outcome
            }
            state.share(wait)
            return wait
        }
        guard let wait else { return await refresh.value }
        return await wait.value
    }

    private func reportLate(_ refresh: Task<Outcome, Never>, in variant: CatalogueInForce) {
        let isServing = variant.withLock { state in
            state.refresh == refresh ? state.fallBehind(wall: wallClock.now(), uptime: uptime.now) : nil
        }
        if let isServing { log.late(isServing: isServing, limit: variants.policy.maxWait) }
    }
}
