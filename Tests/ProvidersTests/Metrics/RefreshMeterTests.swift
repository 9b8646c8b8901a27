internal import Concurrency
internal import Logging
internal import MetricsTestKit
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite("Refreshes, counted")
struct RefreshMeterTests {
    private let metrics = TestMetrics()

    private var counted: [String: Int64] {
        metrics.counters(label: "larder_refresh_total").reduce(into: [:]) { counted, counter in
            counted[counter.dimensions.map { $0.1 }.joined(separator: " ")] = counter.totalValue
        }
    }

    @Test("Every outcome is exposed from the start")
    func outcomes() {
        _ = RefreshMeter(provider: "storefront", factory: metrics)
        #expect(counted == ["storefront fetched": 0, "storefront unchanged": 0, "storefront failed": 0])
    }

    @Test("What came counts by whether it is new; a substitute for a failure is a failure")
    func noted() {
        let meter = RefreshMeter(provider: "storefront", factory: metrics)
        let failure = ProductsFailure.unreachable(.refused, detail: "test")
        meter.note(.success(ProductsAnswer(snapshot: makeSnapshot())), replacing: nil)
        meter.note(.success(ProductsAnswer(snapshot: makeSnapshot())), replacing: makeSnapshot())
        meter.note(.success(ProductsAnswer(snapshot: makeSnapshot("Cup"))), replacing: makeSnapshot())
        meter.note(.failure(failure), replacing: makeSnapshot())
        let substitute = ProductsAnswer(
            snapshot: makeSnapshot(), trail: [TrailStep(node: "fallback", outcome: .failed(failure))])
        meter.note(.success(substitute), replacing: nil)
        #expect(counted == ["storefront fetched": 2, "storefront unchanged": 1, "storefront failed": 2])
    }

    @Test("A memory counts refreshes and not requests")
    func memory() async throws {
        let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot()) }
        let clock = ManualClock()
        let rooms = MemoryRooms(
            division: RequestDivision([]), policy: FreshnessPolicy(), node: "memory", uptime: Uptime(of: clock))
        let memory = MemoryProductsProviderDecorator(
            upstream: upstream, rooms: rooms, wallClock: ManualWallClock().wallClock, clock: clock,
            logger: LogRecorder().logger, meter: RefreshMeter(provider: "storefront", factory: metrics))
        for _ in 0..<5 { _ = try await memory.ask() }
        #expect(counted["storefront fetched"] == 1)
        #expect(counted["storefront unchanged"] == 0)
    }
}
