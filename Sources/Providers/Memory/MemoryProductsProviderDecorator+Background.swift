internal import Concurrency
package import Products

extension MemoryProductsProviderDecorator {
    /// Refreshes whenever freshness ends, without a request, until the task is cancelled. It may run only once.
    ///
    /// Each variant that was ever asked for is refreshed by a task of its own, from the start on also the variant of
    /// requests without any header. After a reload the variants of the predecessor are refreshed as well.
    package func refreshInBackground() async throws {
        recordPlainVariant()
        await withTaskGroup { group in
            for await variant in variants.refreshable {
                group.addTask { try? await self.refreshInBackground(variant) }
            }
        }
    }

    /// Makes the variant of requests without any header one that can be refreshed.
    func recordPlainVariant() {
        let plain = ProductsRequest()
        let variant = variant(for: plain)
        variant.state.withLock { variants.record(variants.division.headers(of: plain), of: variant, &$0) }
    }

    private func refreshInBackground(_ variant: MemoryVariant) async throws {
        while !Task.isCancelled {
            let due = variant.state.withLock { $0.memory.nextRefresh(uptime: uptime.now) }
            if due > .zero {
                try await clock.sleep(for: due)
            } else {
                let refresh = variant.state.withLock { state in
                    let request = ProductsRequest(headers: state.headers ?? [:])
                    return startedRefresh(of: variant, &state, request)
                }
                // When the service stops, the refresh is left behind: requests may wait for it, and its upstream may hang.
                _ = await firstOutcome { await refresh.value }
            }
        }
    }
}

extension MemoryProductsProviderDecorator {
    /// Returns the outcome of a refresh; nil when it takes longer than a request waits. The refresh goes on then, and
    /// until it ends no other request waits that may get a stale answer.
    func outcome(of refresh: Task<Outcome, Never>, in variant: MemoryVariant) async -> Outcome? {
        let wait: Task<Outcome?, Never>? = variant.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            if let wait = state.wait { return wait }
            let left = max(.zero, variants.policy.maxWait - (uptime.now - state.refreshStart))
            let wait = Task.detached { [self] in
                let outcome = await firstOutcome(within: left, clock: clock) { await refresh.value }
                if outcome == nil { reportLate(refresh, in: variant) }
                return outcome
            }
            state.wait = wait
            return wait
        }
        guard let wait else { return await refresh.value }
        return await wait.value
    }

    private func reportLate(_ refresh: Task<Outcome, Never>, in variant: MemoryVariant) {
        let late: (isServable: Bool, replaced: CataloguePublication?)? = variant.state.withLock { state in
            guard state.refresh == refresh else { return nil }
            let isServable = state.memory.fallBehind(wall: wallClock.now(), uptime: uptime.now)
            return (isServable, state.withdrawn())
        }
        guard let late else { return }
        late.replaced?.release()
        log.late(isServing: late.isServable, limit: variants.policy.maxWait)
    }
}

/// Prepares a catalogue for requests before a `memory` publishes it, while they are answered from the one before.
///
/// It outlives graphs: a `memory` that is taken over after a reload has its catalogues prepared for the edition in force.
package final class CataloguePreparation: Sendable {
    /// - Parameters:
    ///   - answer: the answer with the new catalogue.
    ///   - replaced: the revision that requests get meanwhile; its catalogue may be gone before this is done.
    package typealias Prepare = @Sendable (_ answer: ProductsAnswer, _ replaced: String) async -> Void

    /// The longest time for which a refreshed catalogue is held back.
    static let timeout = Duration.seconds(5)
    /// The longest time for which a catalogue is held back that an operator waits for, or another replica serves already.
    static let haste = Duration.milliseconds(300)

    private let prepare = Mutex<Prepare?>(nil)

    package init() {}

    /// Sets the function that prepares catalogues.
    package func prepare(by prepare: @escaping Prepare) {
        self.prepare.withLock { $0 = prepare }
    }

    /// Prepares the catalogue of an answer, or returns when the time is up. The rest is done behind the publication then.
    func run(
        _ answer: ProductsAnswer, replacing replaced: String, within limit: Duration, clock: any Clock<Duration>
    ) async {
        guard let prepare = prepare.withLock({ $0 }) else { return }
        _ = await firstOutcome(within: limit, clock: clock) { await prepare(answer, replaced) }
    }
}
