internal import Concurrency
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Upstreams

@testable internal import Providers

/// The plan of a random graph, of which a test makes several alike.
indirect enum RandomGraph: CustomStringConvertible {
    case source(Int)
    case memory(RandomGraph)
    case over(Decorator, RandomGraph)
    case pair(Pair, RandomGraph, RandomGraph)

    enum Decorator: CaseIterable {
        case analytics, validated, caching, retry, timeout, circuitBreaker, concurrencyLimit, fault
    }

    enum Pair: CaseIterable {
        case fallback, reachability, audience, abTest, abTestWithFailover, merge, overlay
    }

    static let sources = 2

    /// A graph of at most so many levels, with a `memory` more often than any other type.
    init(height: Int, by random: inout SeededGenerator) {
        guard height > 0 else {
            self = .source(Int.random(in: 0..<Self.sources, using: &random))
            return
        }
        if random.chance(35) {
            self = .memory(RandomGraph(height: height - 1, by: &random))
        } else if random.chance(55) {
            let below = RandomGraph(height: height - 1, by: &random)
            let decorator = random.pick(Decorator.allCases)
            // A store holds one variant, so config files cannot have this above what divides requests.
            self = .over(decorator == .caching && below.isDivided ? .analytics : decorator, below)
        } else {
            let pair = random.pick(Pair.allCases)
            self = .pair(pair, Self(height: height - 1, by: &random), Self(height: height - 1, by: &random))
        }
    }

    private var isDivided: Bool {
        switch self {
        case .source: false
        case .memory(let below), .over(_, let below): below.isDivided
        case .pair(.audience, _, _), .pair(.abTest, _, _), .pair(.abTestWithFailover, _, _): true
        case .pair(_, let first, let second): first.isDivided || second.isDivided
        }
    }

    var description: String {
        switch self {
        case .source(let number): "source \(number)"
        case .memory(let below): "memory(\(below))"
        case .over(let decorator, let below): "\(decorator)(\(below))"
        case .pair(let pair, let first, let second): "\(pair)(\(first), \(second))"
        }
    }
}

/// One of several alike graphs, with all that it touches.
final class RandomWorld {
    let wall = ManualWallClock()
    let clock = ManualClock()
    let sources = (0..<RandomGraph.sources).map { _ in ScriptedProvider() }
    /// The store whose pins all memories obey.
    let store = ScriptedProvider()
    let monitor = ScriptedMonitor()
    let sink = RecordingSink()
    private(set) var caller: any ProductsProvider = ScriptedProvider()
    private(set) var variations: [RequestVariation] = []
    private(set) var nodes: [NodeObservation] = []
    private var memories: [MemoryProductsProviderDecorator] = []

    /// - Parameter wrap: what stands above the graph.
    init(
        _ plan: RandomGraph, _ wrap: (any ProductsProvider, [RequestVariation], ManualWallClock) -> any ProductsProvider
    ) {
        let (root, variations) = make(plan)
        self.variations = variations
        caller = wrap(root, variations, wall)
    }

    /// Lets time go by on both clocks.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wall.advance(by: duration)
    }

    /// Pins a catalogue for all memories, those below first; nil takes the pin off.
    func pin(_ name: String?) async {
        store.pins(name.map { makeSnapshot($0, fetchedAt: wall.now, origin: .store) })
        for memory in memories { _ = await memory.follow(isChangedBelow: false) }
    }

    /// Returns when no refresh is under way: those above are looked at first, since they start those below.
    func settle() async {
        await yieldUntil {
            clock.sleepers == 0
                && memories.reversed().allSatisfy { memory in
                    memory.variants.all.allSatisfy { variant in variant.withLock { $0.refresh == nil } }
                }
        }
    }

    private func make(_ plan: RandomGraph) -> (any ProductsProvider, [RequestVariation]) {
        let id = "node \(nodes.count)"
        let node = NodeObservation(id: id, type: "any")
        let isRoot = nodes.isEmpty
        nodes.append(node)
        let (provider, variations) = makeUnobserved(plan, id)
        let observed = ObservedProductsProvider(
            upstream: provider, node: node, isRoot: isRoot, traces: RecentTraces(), wallClock: wall.wallClock)
        return (observed, variations)
    }

    private func makeUnobserved(_ plan: RandomGraph, _ id: String) -> (any ProductsProvider, [RequestVariation]) {
        switch plan {
        case .source(let number): return (sources[number], [])
        case .memory(let below):
            let (upstream, variations) = make(below)
            let memory = MemoryProductsProviderDecorator(
                name: id, upstream: upstream, policy: MemoryFixture.policy, variations: variations, stores: [store],
                wallClock: wall.wallClock, clock: clock, logger: LogRecorder().logger)
            memories.append(memory)
            return (memory, variations)
        case .over(let decorator, let below):
            let (upstream, variations) = make(below)
            return (decorated(by: decorator, upstream, variations, id), variations)
        case .pair(let pair, let first, let second):
            let ((a, one), (b, other)) = (make(first), make(second))
            let (provider, own) = joined(by: pair, a, b, one + other, id)
            return (provider, own + one + other)
        }
    }

    private func decorated(
        by decorator: RandomGraph.Decorator, _ upstream: any ProductsProvider, _ variations: [RequestVariation],
        _ id: String
    ) -> any ProductsProvider {
        switch decorator {
        case .analytics:
            AnalyticsProductsProviderDecorator(upstream: upstream, sink: sink, event: id, wallClock: wall.wallClock)
        case .validated:
            ValidatedProductsProviderDecorator(
                name: id, upstream: upstream, baseline: CatalogueBaseline(division: VariantKey(variations)))
        case .caching: CachingProductsProviderDecorator(name: id, upstream: upstream, saver: ScriptedProvider())
        case .retry:
            RetryProductsProviderDecorator(name: id, upstream: upstream, clock: clock, jitter: JitterSource { 0 })
        case .timeout: TimeoutProductsProviderDecorator(upstream: upstream, after: .seconds(1), clock: clock)
        case .circuitBreaker:
            CircuitBreakerProductsProviderDecorator(
                name: id, upstream: upstream, clock: clock, logger: LogRecorder().logger)
        case .concurrencyLimit: ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 100)
        case .fault: FaultProductsProvider(name: id, upstream: upstream)
        }
    }

    private func joined(
        by pair: RandomGraph.Pair, _ a: any ProductsProvider, _ b: any ProductsProvider,
        _ variations: [RequestVariation], _ id: String
    ) -> (any ProductsProvider, own: [RequestVariation]) {
        switch pair {
        case .fallback: return (FallbackProductsProviderStrategy(name: id, primary: a, secondary: b), [])
        case .reachability:
            return (ReachabilityProductsProviderStrategy(name: id, monitor: monitor, remote: a, local: b), [])
        case .audience:
            let rule = AudienceRule(header: "x-tier", audiences: ["gold"])
            return (
                AudienceProductsProviderStrategy(name: id, header: "X-Tier", cases: ["gold": a], otherwise: b),
                [rule.variation]
            )
        case .abTest, .abTestWithFailover:
            let experiment = Experiment(name: id, header: "X-User", shareOfA: 0.5)
            let exposed = { [sink, wall] (provider: any ProductsProvider, arm: ABTestArm) in
                ExposureProductsProviderDecorator(
                    upstream: provider, arm: arm, of: experiment, sink: sink, wallClock: wall.wallClock)
            }
            return (
                ABTestProductsProviderStrategy(
                    name: id, decision: experiment, a: exposed(a, .a), b: exposed(b, .b),
                    failover: pair == .abTestWithFailover),
                [experiment.variation]
            )
        case .merge:
            let parts = [("a", a), ("b", b)].map { MergeProductsProviderStrategy.Part(name: $0.0, provider: $0.1) }
            return (
                MergeProductsProviderStrategy(
                    name: id, parts: parts, onFailure: .omit, variations: variations, wallClock: wall.wallClock), []
            )
        case .overlay:
            let overlay = MemoryProductsProviderDecorator(
                name: id, upstream: b, policy: FreshnessPolicy(overlayTTL: .seconds(20)), variations: variations,
                wallClock: wall.wallClock, clock: clock, logger: LogRecorder().logger)
            memories.append(overlay)
            return (
                OverlayProductsProviderStrategy(
                    name: id, upstream: a, overlay: overlay, members: ["name"], whenStale: .mark,
                    variations: variations, wallClock: wall.wallClock), []
            )
        }
    }
}
