internal import Analytics
internal import Concurrency
internal import Configuration
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Upstreams
internal import Wiring

@testable internal import Providers

/// A provider above a `memory`, and whether it passes the lease of that on.
struct LeasePassing: Sendable, CustomTestStringConvertible {
    let type: String
    let passes: Bool
    let make: @Sendable (any ProductsProvider) -> any ProductsProvider

    var testDescription: String { type }

    /// Every type that has an upstream, `memory` aside, which attaches a lease of its own.
    static let all: [LeasePassing] = [
        LeasePassing(type: "reachability", passes: true) {
            let monitor = ScriptedMonitor()
            return ReachabilityProductsProviderStrategy(
                monitor: monitor,
                remote: ReachabilityRecordingProductsProviderDecorator(upstream: $0, monitor: monitor),
                local: ScriptedProvider())
        },
        LeasePassing(type: "fallback", passes: true) {
            FallbackProductsProviderStrategy(primary: $0, secondary: ScriptedProvider())
        },
        LeasePassing(type: "ab_test", passes: true) {
            ABTestProductsProviderStrategy(
                decision: HeaderABTestDecision(experiment: "e", header: "X-Arm"), a: $0, b: ScriptedProvider())
        },
        LeasePassing(type: "audience", passes: true) {
            AudienceProductsProviderStrategy(header: "X-Tier", cases: [:], otherwise: $0)
        },
        LeasePassing(type: "merge", passes: true) {
            MergeProductsProviderStrategy(
                parts: [.init(name: "a", provider: $0)], wallClock: ManualWallClock().wallClock)
        },
        LeasePassing(type: "overlay", passes: true) {
            let wall = ManualWallClock()
            let overlay = MemoryProductsProviderDecorator(
                upstream: ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) },
                policy: FreshnessPolicy(overlayTTL: .seconds(5)), wallClock: wall.wallClock, clock: ManualClock(),
                logger: LogRecorder().logger)
            return OverlayProductsProviderStrategy(
                upstream: $0, overlay: overlay, members: ["price"], wallClock: wall.wallClock)
        },
        LeasePassing(type: "caching", passes: true) {
            let store = ScriptedProvider()
            return CachingProductsProviderDecorator(upstream: $0, saver: store)
        },
        LeasePassing(type: "analytics", passes: true) {
            AnalyticsProductsProviderDecorator(upstream: $0, sink: RecordingSink(), event: "asked")
        },
        LeasePassing(type: "validated", passes: true) { ValidatedProductsProviderDecorator(upstream: $0) },
        LeasePassing(type: "retry", passes: true) {
            RetryProductsProviderDecorator(upstream: $0, clock: ManualClock())
        },
        LeasePassing(type: "timeout", passes: true) {
            TimeoutProductsProviderDecorator(upstream: $0, after: .seconds(1), clock: ManualClock())
        },
        LeasePassing(type: "circuit_breaker", passes: false) {
            CircuitBreakerProductsProviderDecorator(
                upstream: $0, clock: ManualClock(), logger: LogRecorder().logger)
        },
        LeasePassing(type: "concurrency_limit", passes: false) {
            ConcurrencyLimitProductsProviderDecorator(upstream: $0, max: 10)
        },
        LeasePassing(type: "fault", passes: false) { FaultProductsProvider(upstream: $0) },
    ]
}

@Suite(.timeLimit(.minutes(1)))
struct LeasePassingTests {
    private let fixture = MemoryFixture()

    private func lease(_ provider: any ProductsProvider) async throws -> ProductsLease? {
        try await observed(provider, "top").ask().lease
    }

    @Test func `every registered type is here, if it has an upstream`() {
        let types = LeasePassing.all.map(\.type) + ["http", "stored", "file", "memory"]
        #expect(Set(types) == Set(ProviderFamily.specs.map(\.type)))
    }

    @Test(arguments: LeasePassing.all)
    func `a type passes leases on or drops them, and answers from them have the trail of its own`(_ type: LeasePassing)
        async throws
    {
        try await fixture.warm()
        let provider = type.make(observed(fixture.memory, "memory", isRoot: false))
        // A merge says of its first answer that it was made.
        _ = try await provider.ask()
        let asked = try await observed(provider, "top").ask()
        #expect((asked.lease != nil) == type.passes)
        guard let lease = asked.lease else { return }
        #expect(lease.answer(for: ProductsRequest(), at: fixture.wall.now)?.trail == asked.trail)
        #expect(lease.path == ["memory", "top"])
    }

    @Test func `an answer of a substitute has no lease`() async throws {
        try await fixture.warm()
        let memory = observed(fixture.memory, "memory", isRoot: false)
        let failing = ScriptedProvider()
        let fallback = FallbackProductsProviderStrategy(primary: failing, secondary: memory)
        #expect(try await lease(fallback) == nil)
        let test = ABTestProductsProviderStrategy(
            decision: HeaderABTestDecision(experiment: "e", header: "X-Arm"), a: failing, b: memory, failover: true)
        #expect(try await lease(test) == nil)
    }

    @Test
    func `'reachability' leases as long as its monitor says the same, and reports each answer to it`() async throws {
        try await fixture.warm()
        let monitor = ScriptedMonitor()
        let memory = observed(fixture.memory, "memory", isRoot: false)
        let provider = ReachabilityProductsProviderStrategy(
            monitor: monitor,
            remote: ReachabilityRecordingProductsProviderDecorator(upstream: memory, monitor: monitor), local: memory)
        let remote = try #require(try await lease(provider))
        #expect(remote.answer(for: ProductsRequest(), at: fixture.wall.now) != nil)
        #expect(monitor.told == ["success", "success"])
        monitor.isReachable = false
        #expect(remote.answer(for: ProductsRequest(), at: fixture.wall.now) == nil)
        let local = try #require(try await lease(provider))
        #expect(
            local.answer(for: ProductsRequest(), at: fixture.wall.now)?.steps == [
                "reachability: offline", "memory: hit",
            ])
        monitor.isReachable = true
        #expect(local.answer(for: ProductsRequest(), at: fixture.wall.now) == nil)
        #expect(monitor.told == ["success", "success"])
    }

    @Test func `'validated' leases what it compared with its baseline as long as that is the same`() async throws {
        try await fixture.warm()
        let monitor = ScriptedMonitor()
        let remote = ScriptedProvider()
        let local = observed(fixture.memory, "memory", isRoot: false)
        let reachability = ReachabilityProductsProviderStrategy(monitor: monitor, remote: remote, local: local)
        let provider = ValidatedProductsProviderDecorator(upstream: observed(reachability, "reachability"))
        monitor.isReachable = false
        let lease = try #require(try await lease(provider))
        #expect(lease.answer(for: ProductsRequest(), at: fixture.wall.now) != nil)
        monitor.isReachable = true
        remote.gives(makeSnapshot(count: 100))
        _ = try await provider.ask()
        monitor.isReachable = false
        #expect(lease.answer(for: ProductsRequest(), at: fixture.wall.now) == nil)
        #expect(try await provider.failure()?.token == "shrunken")
    }

    @Test
    func `'validated' leases nothing that it could not compare, or for which it would look into its store again`()
        async throws
    {
        let (upstream, store) = (ScriptedProvider(), ScriptedProvider())
        upstream.publishes()
        upstream.does {
            ProductsAnswer(
                snapshot: makeSnapshot(), trail: [TrailStep(node: "fallback", outcome: .failed(.timedOut(after: nil)))])
        }
        let plain = ValidatedProductsProviderDecorator(upstream: upstream)
        #expect(try await lease(plain)?.answer(for: ProductsRequest(), at: fixture.wall.now) != nil)
        let stored = ValidatedProductsProviderDecorator(upstream: upstream, baseline: CatalogueBaseline(store: store))
        #expect(try await lease(stored)?.answer(for: ProductsRequest(), at: fixture.wall.now) == nil)
        store.fails(.storeFailed(detail: "x", answered: false))
        #expect(try await lease(stored) == nil)
    }

    @Test func `each answer is an event, unless the caller opted out, and each new subject an exposure`() async throws {
        try await fixture.warm()
        let sink = RecordingSink()
        let memory = observed(fixture.memory, "memory", isRoot: false)
        let experiment = Experiment(name: "e", header: "X-User", shareOfA: 1)
        let arm = ExposureProductsProviderDecorator(upstream: memory, arm: .a, of: experiment, sink: sink)
        let test = ABTestProductsProviderStrategy(decision: experiment, a: arm, b: memory)
        let shown = AnalyticsProductsProviderDecorator(upstream: observed(test, "test"), sink: sink, event: "shown")
        let lease = try #require(
            try await observed(shown, "top").products(for: ProductsRequest(analyticsOptOut: true)).lease)
        #expect(sink.events.isEmpty)
        func use(_ user: String, optsOut: Bool = false) {
            _ = lease.answer(
                for: ProductsRequest(headers: ["x-user": user], analyticsOptOut: optsOut), at: fixture.wall.now)
        }
        use("ann", optsOut: true)
        #expect(sink.events.isEmpty)
        for user in ["ann", "ann", "bob"] { use(user) }
        let exposure = ExposureProductsProviderDecorator.event
        #expect(sink.events.map(\.name) == [exposure, "shown", "shown", exposure, "shown"])
        #expect(Set(sink.events.compactMap(\.subject)).count == 2)
    }
}
