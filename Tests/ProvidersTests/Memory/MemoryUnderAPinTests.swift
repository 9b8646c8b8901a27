internal import Concurrency
internal import FoundationEssentials
internal import MetricsTestKit
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryUnderAPinTests {
    private let upstream = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("new")) }
    private let store = ScriptedProvider()
    private let wall = ManualWallClock()
    private let clock = ManualClock()
    private let log = LogRecorder()
    private let metrics = TestMetrics()
    private let memory: MemoryProductsProviderDecorator
    private static let pinning = RefreshOrder(isForced: true, supersedes: true)
    private static let html = ProductsFailure.malformed(detail: "HTML")

    init() {
        let caching = CachingProductsProviderDecorator(
            upstream: upstream, saver: store, pins: store, wallClock: wall.wallClock, logger: log.logger)
        let variants = MemoryVariants(
            division: VariantKey(), policy: MemoryFixture.policy, node: "memory", uptime: Uptime(of: clock))
        memory = MemoryProductsProviderDecorator(
            upstream: caching, variants: variants, wallClock: wall.wallClock, clock: clock, logger: log.logger,
            meter: RefreshMeter(provider: "memory", factory: metrics))
    }

    private func refreshes(_ outcome: String) throws -> Int64 {
        try metrics.expectCounter("larder_refresh_total", [("provider", "memory"), ("outcome", outcome)]).totalValue
    }

    private func refresh(_ order: RefreshOrder = RefreshOrder(isForced: true)) async throws -> RefreshResult {
        try #require(await memory.refresh(order).first)
    }

    private var troubles: [UpstreamTrouble] { memory.report.memory?.troubles ?? [] }

    @Test
    func `a refresh behind the pin that fails is a failure in result, count, trouble and log, and the pin is served`()
        async throws
    {
        store.pins(makeSnapshot("pinned", origin: .store))
        _ = try await memory.ask()
        // Joins the ask behind that answer.
        _ = try await refresh()
        upstream.fails(Self.html)
        for _ in 0..<3 {
            let result = try await refresh()
            #expect(result.outcome == .failed && result.failure == Self.html && result.isPinned)
            #expect(result.after?.revision == makeCatalogue("pinned").revision)
        }
        #expect(try refreshes("failed") == 3 && refreshes("unchanged") == 1)
        #expect(troubles.map(\.failure) == [Self.html] && troubles.map(\.since) == [wall.now])
        #expect(try await memory.ask().freshness?.isOffline == true)
        #expect(log.seen == ["warning: refresh behind the pin failed"])
        upstream.gives(makeSnapshot("newer"))
        #expect(try await refresh().outcome == .unchanged)
        #expect(troubles.isEmpty)
        #expect(log.seen.last == "notice: refreshes behind the pin succeed again" && log.seen.count == 2)
    }

    @Test
    func `a pinned catalogue has its own age, is fresh from its check on, and does not expire by its age`() async throws
    {
        let made = wall.now.addingTimeInterval(-30 * 86400)
        store.pins(
            ProductsSnapshot(
                catalogue: makeCatalogue("pinned"), fetchedAt: made, checkedAt: wall.now, origin: .store))
        let answer = try await memory.ask()
        #expect(answer.snapshot.age(at: wall.now) == .seconds(30 * 86400))
        #expect(answer.freshness?.state(at: wall.now) == .fresh)
        #expect(answer.freshness?.state(at: wall.now.addingTimeInterval(600)) == .stale)
    }

    @Test func `an order to pin waits for no upstream`() async throws {
        store.pins(makeSnapshot("pinned", origin: .store))
        _ = try await memory.ask()
        await upstream.wait(calls: 1)
        upstream.hold()
        store.pins(makeSnapshot("other", origin: .store))
        #expect(try await refresh(Self.pinning).after?.revision == makeCatalogue("other").revision)
        upstream.release()
    }

    @Test(arguments: [300.0, 700])
    func `a request that comes late gets the pinned catalogue at once while the upstream hangs`(
        seconds: Double
    ) async throws {
        // As a store does: the operator vouches for it at the time of the request.
        store.pins(makeSnapshot("pinned", origin: .store))
        _ = try await memory.ask()
        // An ask that still runs would be joined.
        _ = try await refresh()
        upstream.hold()
        wall.advance(by: .seconds(seconds))
        clock.advance(by: .seconds(seconds))
        let answer = try await memory.ask()
        #expect(answer.told == "pinned stale" && answer.isPinned)
        await upstream.wait(parked: 1)
        upstream.release()
    }

    @Test func `once a pinned catalogue is too old to be served after a failure, requests wait for the store alone`()
        async throws
    {
        store.pins(makeSnapshot("pinned", origin: .store))
        _ = try await memory.ask()
        upstream.fails(Self.html)
        _ = try await refresh()
        upstream.hold()
        wall.advance(by: .seconds(700))
        clock.advance(by: .seconds(700))
        store.pins(makeSnapshot("pinned", fetchedAt: wall.now, origin: .store))
        let answer = try await memory.ask()
        #expect(answer.snapshot.revision == makeCatalogue("pinned").revision && answer.isPinned)
        await upstream.wait(parked: 1)
        #expect(troubles.map(\.failure) == [Self.html])
        upstream.release()
    }

    @Test func `an outage from before the pin lasts under it until the upstream answers`() async throws {
        _ = try await memory.ask()
        upstream.fails(Self.html)
        _ = try await refresh()
        let since = wall.now
        wall.advance(by: .seconds(60))
        store.pins(makeSnapshot("pinned", origin: .store))
        _ = try await refresh(Self.pinning)
        #expect(troubles.map(\.since) == [since])
        _ = try await refresh()
        #expect(troubles.map(\.since) == [since])
        upstream.gives(makeSnapshot("newer"))
        _ = try await refresh()
        #expect(troubles.isEmpty)
        #expect(log.count(of: "notice: upstream recovered") == 1)
    }
}
