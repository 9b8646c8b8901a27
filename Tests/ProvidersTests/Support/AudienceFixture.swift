internal import Concurrency
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Tracing

@testable internal import Providers

/// A `memory` above an `audience` of two providers that the test scripts, with all its clocks held.
struct AudienceFixture: Sendable {
    let gold = ScriptedProvider()
    let rest = ScriptedProvider()
    let wall = ManualWallClock()
    let clock = ManualClock()
    let log = LogRecorder()
    let memory: MemoryProductsProviderDecorator

    init() {
        memory = Self.memory(
            nil, AudienceProductsProviderStrategy(header: "x-tier", cases: ["gold": gold], otherwise: rest),
            AudienceRule(header: "x-tier", audiences: ["gold"]), wall, clock, log)
        works()
    }

    /// Makes what a reload makes: another memory above other providers, with copies of this one's snapshots.
    func successor(
        header: String = "x-tier", cases: [String: ScriptedProvider], otherwise: ScriptedProvider
    ) -> MemoryProductsProviderDecorator {
        Self.memory(
            memory.variants, AudienceProductsProviderStrategy(header: header, cases: cases, otherwise: otherwise),
            AudienceRule(header: header, audiences: Set(cases.keys)), wall, clock, log)
    }

    /// From now on both upstreams work.
    func works() {
        for (provider, name) in [(gold, "Gold"), (rest, "Rest")] { works(provider, name) }
    }

    /// From now on the upstream gives this catalogue, confirmed just then.
    func works(_ provider: ScriptedProvider, _ name: String) {
        provider.works(makeCatalogue(name), wall)
    }

    /// Lets time go by on both clocks.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wall.advance(by: duration)
    }

    /// An answer to a request with this value of the header, and what it says of itself: `Gold hit`.
    func told(
        _ value: String?, by memory: MemoryProductsProviderDecorator? = nil, cause: (any RequestIdentitySource)? = nil
    ) async throws -> String {
        var request = ProductsRequest(headers: value.map { ["x-tier": $0] } ?? [:])
        request.cause = cause
        return try await (memory ?? self.memory).products(for: request).told
    }

    private static func memory(
        _ previous: MemoryVariants?, _ upstream: any ProductsProvider, _ rule: AudienceRule, _ wall: ManualWallClock,
        _ clock: ManualClock, _ log: LogRecorder
    ) -> MemoryProductsProviderDecorator {
        MemoryProductsProviderDecorator(
            upstream: upstream,
            variants: MemoryVariants(
                division: VariantKey([rule.variation]), policy: MemoryFixture.policy, node: "memory",
                uptime: Uptime(of: clock), following: previous),
            wallClock: wall.wallClock, clock: clock, logger: log.logger)
    }
}
