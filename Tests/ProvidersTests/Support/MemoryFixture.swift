internal import Concurrency
internal import FoundationEssentials
internal import Logging
internal import Products
internal import ProvidersTestSupport
internal import TestSupport

@testable internal import Providers

/// A `memory` over an upstream that the test scripts, with all its clocks held.
///
/// Every refresh ends in one line of the log, and the line comes last: `refreshes(_:)` waits for it.
struct MemoryFixture: Sendable {
    static let policy = FreshnessPolicy(
        ttl: .seconds(30), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(600))
    static let refused = ProductsFailure.unreachable(.refused, detail: "test")

    let upstream = ScriptedProvider()
    let wall = ManualWallClock()
    let clock = ManualClock()
    let log = LogRecorder()
    let signal = CatalogueSignal()
    let memory: MemoryProductsProviderDecorator

    init(policy: FreshnessPolicy = MemoryFixture.policy, followed: [any CatalogueOffering] = []) {
        memory = MemoryProductsProviderDecorator(
            upstream: upstream, policy: policy, followed: followed, wallClock: wall.wallClock, clock: clock,
            logger: log.logger, signal: signal)
    }

    /// The catalogues that the memory reports.
    var kept: [KeptSnapshot] { memory.report.memory?.kept ?? [] }

    /// The states of the catalogues that the memory reports.
    var states: [Freshness.State?] { kept.map { $0.freshness?.state(at: wall.now) } }

    /// Lets time go by on both clocks.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wall.advance(by: duration)
    }

    /// From now on the upstream gives this catalogue, confirmed just then.
    func works(_ name: String = "Mug") {
        upstream.works(makeCatalogue(name), wall)
    }

    /// From now on the upstream fails, and this snapshot is what a fallback finds instead.
    func fallsBack(to snapshot: ProductsSnapshot, from failure: ProductsFailure = MemoryFixture.refused) {
        upstream.does {
            ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: "fallback", outcome: .failed(failure))])
        }
    }

    /// Has a first answer in the memory, that was confirmed just now.
    func warm(_ name: String = "Mug") async throws {
        works(name)
        _ = try await memory.ask()
        await log.wait(lines: 1)
    }

    /// Returns when so many refreshes, from the first one on, have ended.
    func refreshes(_ count: Int) async {
        await log.wait(lines: count)
    }

    /// The lease of an answer.
    func lease() async throws -> ProductsLease {
        guard let lease = try await memory.ask().handingLease().lease else { throw ProductsFailure.notStored }
        return lease
    }

    /// An answer, and what it says of itself in one line: `Mug hit`, `Mug stale offline`.
    func told() async throws -> String {
        let answer = try await memory.ask()
        return answer.told + (answer.freshness?.isOffline == true ? " offline" : "")
    }
}

extension MemoryProductsProviderDecorator {
    /// Carries out an order that no request gave.
    func refresh(_ order: RefreshOrder) async -> [RefreshResult] { await refresh(order, for: nil) }

    /// Decorates `upstream` with variants of its own.
    ///
    /// - Parameter variations: the dependences of the upstream's answers on request headers.
    convenience init<C: Clock>(
        name: String = "memory", upstream: any ProductsProvider, policy: FreshnessPolicy = FreshnessPolicy(),
        variations: [RequestVariation] = [], stores: [any CatalogueOffering] = [],
        followed: [any CatalogueOffering] = [], wallClock: WallClock = .system, clock: C = ContinuousClock(),
        logger: Logger, traces: RefreshTraces = RefreshTraces(),
        signal: CatalogueSignal = CatalogueSignal()
    ) where C.Duration == Duration {
        let variants = MemoryVariants(
            division: VariantKey(variations), policy: policy, node: name, uptime: Uptime(of: clock), signal: signal)
        self.init(
            upstream: upstream, variants: variants, stores: stores, followed: followed, wallClock: wallClock,
            clock: clock, logger: logger, traces: traces)
    }
}
