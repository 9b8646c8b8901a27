internal import Analytics
internal import Logging
internal import Networking
internal import Persistence
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Upstreams

@testable internal import Providers

func composeStorefront(
    shop: some RequestTemplate, client: HTTPClient, monitor: some ReachabilityMonitor, sink: some AnalyticsSink,
    directory: String, logger: Logger
) -> (products: ProductsUseCase, store: JSONFileProductsStore) {
    let collection = CollectionResource(
        template: ResolvedRequestTemplate(shop),
        limits: HTTPClientLimits(connectTimeout: .seconds(5), timeout: .seconds(20), body: 64 << 20))
    let network = HTTPProductsProvider(
        source: PlainCollectionDataSource(collection, fetcher: HTTPCollectionFetcher(session: client)))
    let store = JSONFileProductsStore(directory: directory, logger: logger)
    let remote = CachingProductsProviderDecorator(
        upstream: AnalyticsProductsProviderDecorator(upstream: network, sink: sink, event: "products_network_hit"),
        saver: BackgroundSaver(store))
    let local = AnalyticsProductsProviderDecorator(upstream: store, sink: sink, event: "products_cache_hit")
    let strategy = ReachabilityProductsProviderStrategy(monitor: monitor, remote: remote, local: local)
    return (ProductsUseCase(provider: strategy), store)
}

@Suite(.timeLimit(.minutes(1)))
struct CompositionTests {
    @Test
    func `each request is an event of the network while the monitor says so, and of the store when it does not`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (monitor, sink) = (ScriptedMonitor(), RecordingSink())
        try await withClient(against: answering { $0.respond(body: makeBody()) }) {
            client, upstream async throws in
            let (products, store) = composeStorefront(
                shop: BaseURL(baseURL: upstream.url), client: client, monitor: monitor, sink: sink,
                directory: directory.path, logger: LogRecorder().logger)
            for _ in 0..<5 {
                let snapshot = try await products.products(for: ProductsRequest()).answer.snapshot
                #expect(snapshot.origin == .network)
            }
            upstream.stop()
            await upstream.waitUntilStopped()
            monitor.isReachable = false
            for _ in 0..<5 {
                let snapshot = try await products.products(for: ProductsRequest()).answer.snapshot
                #expect(snapshot.origin == .store)
                #expect(snapshot.revision == makeCatalogue().revision)
            }
            await store.close()
            #expect(upstream.requestHeads.count == 5)
        }
        #expect(
            sink.events.map(\.name) == Array(repeating: "products_network_hit", count: 5)
                + Array(repeating: "products_cache_hit", count: 5))
    }

    @Test func `the page Composition shows this code`() throws {
        let page = try Repository.text("Sources/larder/Larder.docc/Composition.md")
        let code = try Repository.text("Tests/ProvidersTests/CompositionTests.swift")
        let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 1)
        for block in blocks { #expect(code.contains("\n\(block)\n"), "\(block)") }
    }
}
