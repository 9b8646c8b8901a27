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
                path: upstream.path, decoder: fixture.makeDecoder(), wallClock: fixture.wall.wallClock)
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
        .wrapping("caching") { fixture, upstream in
            CachingProductsProviderDecorator(
                upstream: upstream, store: ScriptedProvider(), logger: fixture.log.logger)
        },
        .wrapping("analytics") { fixture, upstream in
            AnalyticsProductsProviderDecorator(
                upstream: upstream, sink: RecordingSink(), event: "asked", wallClock: fixture.wall.wallClock)
        },
        .wrapping("validated", refusesEmpty: true) { _, upstream in
            ValidatedProductsProviderDecorator(upstream: upstream)
        },
    ]
}
