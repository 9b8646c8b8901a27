internal import Concurrency
internal import Networking
internal import Products
internal import Providers
internal import TestSupport

extension ContractSubject {
    /// A maker for every type that is registered; the suite fails if one is missing.
    static let all: [ContractSubject] = [
        ContractSubject(type: "http") { fixture in
            let upstream = LoopbackUpstream()
            let provider = makeHTTPProvider(
                fixture.client, url: upstream.server.url, decoder: fixture.makeDecoder(),
                wallClock: fixture.wall.wallClock)
            return (provider, upstream)
        },
        .wrapping("stored") { _, upstream in StoredProductsProvider(store: upstream) },
        ContractSubject(type: "file", failing: .throwing("store-failed"), cancelling: .neverWaits) { fixture in
            let upstream = FileUpstream(directory: fixture.directory)
            let provider = FileProductsProvider(
                path: upstream.path, decoder: fixture.makeDecoder(), wallClock: fixture.wall.wallClock,
                patience: .seconds(30))
            return (provider, upstream)
        },
        .wrapping("reachability") { _, upstream in
            ReachabilityProductsProviderStrategy(
                monitor: AlwaysReachableMonitor(), remote: upstream, local: ScriptedProvider())
        },
        .wrapping("fallback", failing: .answering) { _, upstream in
            let secondary = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Other")) }
            return FallbackProductsProviderStrategy(primary: upstream, secondary: secondary)
        },
        .wrapping("ab_test") { _, upstream in
            ABTestProductsProviderStrategy(experiment: "e", subject: "X-User", a: upstream, b: ScriptedProvider())
        },
        .wrapping("audience") { _, upstream in
            AudienceProductsProviderStrategy(
                header: "X-Tier", cases: ["gold": ScriptedProvider()], otherwise: upstream)
        },
        .wrapping("merge") { fixture, upstream in
            let empty = ScriptedProvider {
                ProductsAnswer(snapshot: makeSnapshot(count: 0, fetchedAt: fixture.wall.now))
            }
            return MergeProductsProviderStrategy(parts: [
                .init(name: "a", provider: upstream), .init(name: "b", provider: empty),
            ])
        },
        .wrapping("memory", failing: .throwing("unavailable"), cancelling: .staysHere, sharesQuestions: true) {
            fixture, upstream in
            MemoryProductsProviderDecorator(
                upstream: upstream, wallClock: fixture.wall.wallClock, clock: fixture.clock, logger: fixture.log.logger)
        },
        .wrapping("caching") { _, upstream in
            CachingProductsProviderDecorator(upstream: upstream, store: ScriptedProvider())
        },
        .wrapping("analytics") { fixture, upstream in
            AnalyticsProductsProviderDecorator(
                upstream: upstream, sink: RecordingSink(), event: "asked", wallClock: fixture.wall.wallClock)
        },
        .wrapping("validated", refusesEmpty: true) { _, upstream in
            ValidatedProductsProviderDecorator(upstream: upstream)
        },
        .wrapping("retry") { fixture, upstream in
            RetryProductsProviderDecorator(upstream: upstream, clock: fixture.clock, jitter: JitterSource { 0 })
        },
        .wrapping("timeout") { fixture, upstream in
            TimeoutProductsProviderDecorator(upstream: upstream, after: .seconds(1), clock: fixture.clock)
        },
        .wrapping("circuit_breaker") { fixture, upstream in
            CircuitBreakerProductsProviderDecorator(
                upstream: upstream, clock: fixture.clock, logger: fixture.log.logger)
        },
        .wrapping("concurrency_limit") { _, upstream in
            ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 10, queue: 100)
        },
        .wrapping("fault") { _, upstream in FaultProductsProvider(upstream: upstream) },
    ]
}
