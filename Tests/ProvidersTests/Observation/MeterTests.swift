@testable import Concurrency
internal import FileSystem
internal import Logging
internal import MetricsTestKit
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Upstreams

@testable internal import Providers

struct RefreshMeterTests {
    private let metrics = TestMetrics()

    private var counted: [String: Int64] {
        metrics.counters(label: "larder_refresh_total").reduce(into: [:]) { counted, counter in
            counted[counter.dimensions.map { $0.1 }.joined(separator: " ")] = counter.totalValue
        }
    }

    @Test func `every outcome is exposed from the start`() {
        _ = RefreshMeter(provider: "storefront", factory: metrics)
        #expect(counted == ["storefront fetched": 0, "storefront unchanged": 0, "storefront failed": 0])
    }

    @Test func `what came counts by whether it is new; a substitute for a failure is a failure`() {
        let meter = RefreshMeter(provider: "storefront", factory: metrics)
        let failure = ProductsFailure.unreachable(.refused, detail: "test")
        meter.record(.success(ProductsAnswer(snapshot: makeSnapshot())), replacing: nil)
        meter.record(.success(ProductsAnswer(snapshot: makeSnapshot())), replacing: makeSnapshot())
        meter.record(.success(ProductsAnswer(snapshot: makeSnapshot("Cup"))), replacing: makeSnapshot())
        meter.record(.failure(failure), replacing: makeSnapshot())
        let substitute = ProductsAnswer(
            snapshot: makeSnapshot(), trail: [TrailStep(node: "fallback", outcome: .failed(failure))])
        meter.record(.success(substitute), replacing: nil)
        #expect(counted == ["storefront fetched": 2, "storefront unchanged": 1, "storefront failed": 2])
    }

    @Test func `a memory counts refreshes and not requests`() async throws {
        let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
        let clock = ManualClock()
        let variants = MemoryVariants(
            division: VariantKey([]), policy: FreshnessPolicy(), node: "memory", uptime: Uptime(of: clock))
        let memory = MemoryProductsProviderDecorator(
            upstream: upstream, variants: variants, wallClock: ManualWallClock().wallClock, clock: clock,
            logger: LogRecorder().logger, meter: RefreshMeter(provider: "storefront", factory: metrics))
        for _ in 0..<5 { _ = try await memory.ask() }
        #expect(counted["storefront fetched"] == 1)
        #expect(counted["storefront unchanged"] == 0)
    }
}

struct RefusalMeterTests {
    private let metrics = TestMetrics()

    private var counted: [String: Int64] {
        metrics.counters(label: "larder_refused_total").reduce(into: [:]) { counted, counter in
            counted[counter.dimensions.map { $0.1 }.joined(separator: " ")] = counter.totalValue
        }
    }
    private var refused: [String: Int64] { counted.filter { $0.value > 0 } }

    @Test func `every reason is there from the start, so that the first refusal is seen to be one more`() {
        _ = RefusalMeter(metrics)
        #expect(counted == Dictionary(uniqueKeysWithValues: RefusalReason.Rule.allCases.map { ($0.rawValue, 0) }))
    }

    @Test func `what breaks a rule counts by the rule`() async throws {
        let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot(count: 2)) }
        let provider = ValidatedProductsProviderDecorator(
            upstream: upstream, rules: CatalogueRules(minimum: 3), metrics: metrics)
        for _ in 0..<2 { _ = try await provider.failure() }
        #expect(refused == ["empty": 2])
    }

    @Test func `who passes a refusal on does not count it again, and what is no refusal does not count`() async throws {
        let upstream = ScriptedProvider()
        let provider = ValidatedProductsProviderDecorator(upstream: upstream, metrics: metrics)
        for failure in [ProductsFailure.refused(.empty(count: 0, minimum: 1)), .notStored] {
            upstream.fails(failure)
            #expect(try await provider.failure() == failure)
        }
        #expect(refused == [:])
    }

    @Test func `two products with one id count where they are read, from a network and from a file`() async throws {
        let product = #"{"type":"physical","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"}}"#
        let body = "[\(product),\(product)]"
        let directory = try TemporaryDirectory()
        try Files.replace(
            directory("bundled.json"), with: Array(body.utf8), temporary: directory("temporary"))
        let file = FileProductsProvider(path: directory("bundled.json"), metrics: metrics)
        _ = try await file.failure()
        #expect(refused == ["duplicate-id": 1])
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            while connection.readRequest() != nil { connection.respond(body: body) }
        }
        try await withClient(against: script) { client, upstream in
            let shop = makeHTTPProvider(client, url: upstream.url, metrics: metrics)
            _ = try await shop.failure()
        }
        #expect(refused == ["duplicate-id": 2])
    }
}
