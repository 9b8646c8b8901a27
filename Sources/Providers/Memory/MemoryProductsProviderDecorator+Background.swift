internal import Concurrency
package import Products

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
        release(late.replaced)
        log.late(isServing: late.isServable, limit: variants.policy.maxWait)
    }
}

/// Prepares a catalogue before a `memory` publishes it. Meanwhile requests are answered from the previous one.
///
/// It outlives graphs, so that the catalogues of a `memory` taken over by a reload are prepared for the edition in
/// force.
package final class CataloguePreparation: Sendable {
    /// - Parameters:
    ///   - answer: the answer with the new catalogue.
    ///   - replaced: the revision that requests get meanwhile; its catalogue may be gone before this is done.
    package typealias Prepare = @Sendable (_ answer: ProductsAnswer, _ replaced: String) async -> Void

    /// A catalogue to be prepared, and the revision that it will replace.
    typealias Next = (answer: ProductsAnswer, replaced: String)
    /// Composes what a strategy above will serve when it gets the prepared catalogue.
    typealias Derivation = @Sendable (_ answer: ProductsAnswer, _ replaced: String) async -> [Next]

    private struct Deriving: Sendable {
        weak let strategy: (any AnyObject & Sendable)?
        let derive: Derivation
    }

    /// The longest delay of a refreshed catalogue.
    static let timeout = Duration.seconds(5)
    /// The longest delay of a catalogue that an operator waits for, or another replica already serves.
    static let haste = Duration.milliseconds(300)

    private let prepare = Mutex<Prepare?>(nil)
    private let derivations = Mutex<[Deriving]>([])

    package init() {}

    /// Sets the function that prepares catalogues.
    package func prepare(by prepare: @escaping Prepare) {
        self.prepare.withLock { $0 = prepare }
    }

    /// Adds a strategy whose catalogues are composed with those below it.
    func derive(for strategy: any AnyObject & Sendable, by derive: @escaping Derivation) {
        derivations.withLock { derivations in
            derivations.removeAll { $0.strategy == nil }
            derivations.append(Deriving(strategy: strategy, derive: derive))
        }
    }

    /// Prepares the catalogue of an answer, and those that are composed with it. At the time limit it returns, and the
    /// preparation continues after the publication.
    func run(
        _ answer: ProductsAnswer, replacing replaced: String, within limit: Duration, clock: any Clock<Duration>
    ) async {
        let (prepare, derivations) = (prepare.withLock { $0 }, derivations.withLock { $0 })
        if prepare == nil, derivations.isEmpty { return }
        _ = await firstOutcome(within: limit, clock: clock) {
            await Self.run(answer, replacing: replaced, prepare, derivations)
        }
    }

    /// Prepares a catalogue that is in no memory, for as long as it takes.
    func run(_ answer: ProductsAnswer, replacing replaced: String) async {
        await Self.run(answer, replacing: replaced, prepare.withLock { $0 }, derivations.withLock { $0 })
    }

    private static func run(
        _ answer: ProductsAnswer, replacing replaced: String, _ prepare: Prepare?, _ derivations: [Deriving]
    ) async {
        await prepare?(answer, replaced)
        for (index, deriving) in derivations.enumerated() {
            // No strategy is above itself.
            var others = derivations
            others.remove(at: index)
            for next in await deriving.derive(answer, replaced) {
                await run(next.answer, replacing: next.replaced, prepare, others)
            }
        }
    }
}
