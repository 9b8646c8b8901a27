internal import Concurrency
internal import FoundationEssentials
internal import MetricsTestKit
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryUnderAPinTests {
    private let upstream = ScriptedProvider()
    private let store = ScriptedProvider()
    private let wall = ManualWallClock()
    private let clock = ManualClock()
    private let log = LogRecorder()
    private let metrics = TestMetrics()
    private let memory: MemoryProductsProviderDecorator
    private static let html = ProductsFailure.malformed(detail: "HTML")

    init() {
        let variants = MemoryVariants(
            division: VariantKey(), policy: MemoryFixture.policy, node: "memory", uptime: Uptime(of: clock))
        memory = MemoryProductsProviderDecorator(
            upstream: upstream, variants: variants, stores: [store], followed: [store], wallClock: wall.wallClock,
            clock: clock,
            logger: log.logger, meter: RefreshMeter(provider: "memory", factory: metrics))
        upstream.works(makeCatalogue("new"), wall)
    }

    private func refreshes(_ outcome: String) throws -> Int64 {
        try metrics.expectCounter("larder_refresh_total", [("provider", "memory"), ("outcome", outcome)]).totalValue
    }

    private func refresh() async throws -> RefreshResult {
        try #require(await memory.refresh(RefreshOrder(isForced: true)).first)
    }

    private func follow(isChangedBelow: Bool = false) async throws -> RefreshResult {
        try #require(await memory.follow(isChangedBelow: isChangedBelow).first)
    }

    private func pin(_ name: String) { store.pins(makeSnapshot(name, fetchedAt: wall.now, origin: .store)) }

    private func pass(_ time: Duration) {
        wall.advance(by: time)
        clock.advance(by: time)
    }

    private var troubles: [UpstreamTrouble] { memory.report.memory?.troubles ?? [] }

    @Test func `a pin and its end take effect at once, and ask no upstream`() async throws {
        #expect(try await memory.ask().snapshot.revision == makeCatalogue("new").revision)
        upstream.hold()
        pin("pinned")
        let pinned = try await follow()
        #expect(pinned.before?.revision == makeCatalogue("new").revision && pinned.isPinned)
        #expect(pinned.after?.revision == makeCatalogue("pinned").revision && pinned.failure == nil)
        let answer = try await memory.ask()
        #expect(answer.told == "pinned hit" && answer.steps == ["store: pinned", "memory: hit"])
        #expect(answer.freshness?.isPinned == true && answer.standing == .pinned)
        store.pins(nil)
        #expect(try await follow().isPinned == false)
        let free = try await memory.ask()
        #expect(free.told == "new hit" && free.freshness?.isPinned == false)
        #expect(upstream.calls == 1 && log.seen.isEmpty)
    }

    @Test func `the first request gets the pinned catalogue while the upstream hangs, never another one`() async throws
    {
        upstream.hold()
        pin("pinned")
        let answers = try await withThrowingTaskGroup(of: ProductsAnswer.self) { group in
            for _ in 0..<50 { group.addTask { try await memory.ask() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(\.snapshot.revision)) == [makeCatalogue("pinned").revision])
        await upstream.wait(parked: 1)
        #expect(upstream.calls == 1)
        upstream.release()
    }

    @Test func `refreshes go on behind the pin, and what the last brought is served when it is off`() async throws {
        pin("pinned")
        _ = try await memory.ask()
        _ = try await refresh()
        for name in ["newer", "newest"] {
            upstream.works(makeCatalogue(name), wall)
            let result = try await refresh()
            #expect(result.after?.revision == makeCatalogue("pinned").revision && result.isPinned)
            #expect(try await memory.ask().told == "pinned hit")
        }
        store.pins(nil)
        let calls = upstream.calls
        _ = try await follow()
        #expect(try await memory.ask().told == "newest hit" && upstream.calls == calls)
    }

    @Test func `a pin that another process has set or taken off is seen by the next refresh`() async throws {
        _ = try await memory.ask()
        pin("pinned")
        #expect(try await memory.ask().told == "new hit")
        _ = try await refresh()
        #expect(try await memory.ask().told == "pinned hit")
        store.pins(nil)
        upstream.works(makeCatalogue("newer"), wall)
        _ = try await refresh()
        #expect(try await memory.ask().told == "newer hit")
    }

    @Test
    func `a refresh behind the pin that fails is a failure in result, count, trouble and log, and the pin is served`()
        async throws
    {
        pin("pinned")
        _ = try await memory.ask()
        _ = try await refresh()
        upstream.fails(Self.html)
        for _ in 0..<3 {
            let result = try await refresh()
            #expect(result.outcome == .failed && result.failure == Self.html && result.isPinned)
            #expect(result.after?.revision == makeCatalogue("pinned").revision)
        }
        #expect(try refreshes("failed") == 3)
        #expect(troubles.map(\.failure) == [Self.html] && troubles.map(\.since) == [wall.now])
        #expect(try await memory.ask().freshness?.isOffline == true)
        #expect(log.seen == ["warning: refresh behind the pin failed"])
        upstream.works(makeCatalogue("newer"), wall)
        #expect(try await refresh().outcome == .unchanged)
        #expect(troubles.isEmpty && log.seen.last == "notice: refreshes behind the pin succeed again")
        #expect(log.seen.count == 2)
    }

    @Test func `a pinned catalogue has its own age, is fresh while refreshes succeed, and is served for ever`()
        async throws
    {
        let made = wall.now.addingTimeInterval(-30 * 86400)
        store.pins(
            ProductsSnapshot(
                catalogue: makeCatalogue("pinned"), fetchedAt: made, checkedAt: wall.now, origin: .store))
        _ = try await memory.ask()
        _ = try await refresh()
        let answer = try await memory.ask()
        #expect(answer.snapshot.age(at: wall.now) == .seconds(30 * 86400))
        #expect(answer.freshness?.state(at: wall.now) == .fresh)
        #expect(answer.freshness?.state(at: wall.now.addingTimeInterval(600)) == .stale)
        upstream.hold()
        for _ in 0..<3 {
            pass(.seconds(40 * 86400))
            let answer = try await memory.ask()
            #expect(answer.told == "pinned stale" && answer.freshness?.state(at: wall.now) == .stale)
        }
        upstream.release()
    }

    @Test func `a pinned catalogue is served on a lease, which ends with the pin`() async throws {
        let observed = observed(memory, "top")
        let free = try #require(try await observed.ask().lease)
        pin("pinned")
        _ = try await follow()
        #expect(free.answer(for: ProductsRequest(), at: wall.now) == nil)
        let pinned = try #require(free.renewed())
        #expect(pinned.answer(for: ProductsRequest(), at: wall.now)?.told == "pinned hit")
        store.pins(nil)
        _ = try await follow()
        #expect(pinned.answer(for: ProductsRequest(), at: wall.now) == nil)
        #expect(pinned.renewed()?.answer(for: ProductsRequest(), at: wall.now)?.told == "new hit")
    }

    @Test func `where nothing else can be served at the end of a pin, the pinned catalogue is, for its time`()
        async throws
    {
        pin("pinned")
        upstream.fails(Self.html)
        _ = try await memory.ask()
        _ = try await refresh()
        store.pins(nil)
        let ended = try await follow()
        #expect(ended.after?.revision == makeCatalogue("pinned").revision && ended.isPinned)
        #expect(try await memory.ask().snapshot.revision == makeCatalogue("pinned").revision)
        #expect(try await memory.ask().standing == .pinned)
        pass(.seconds(30 * 86400))
        await #expect(throws: ProductsFailure.self) { try await memory.ask() }
    }

    @Test func `a look that takes long changes nothing after one that began later`() async throws {
        _ = try await memory.ask()
        let variant = memory.variant(for: ProductsRequest())
        pin("first")
        let slow = await memory.look(in: variant)
        pin("second")
        _ = try await follow()
        #expect(try await memory.ask().told == "second hit")
        let second = try #require(variant.withLock { $0.publication })
        variant.withLock {
            $0.apply(slow, removes: true, wall: wall.now, uptime: .zero, clockOrigin: .distantPast)
        }
        #expect(second.isCurrent && variant.withLock { $0.publication } === second)
        #expect(try await memory.ask().told == "second hit")
        let late = await memory.look(in: variant)
        store.pins(nil)
        _ = try await follow()
        _ = try await follow()
        #expect(try await memory.ask().told == "new hit")
        let new = try #require(variant.withLock { $0.publication })
        variant.withLock {
            $0.apply(late, removes: true, wall: wall.now, uptime: .zero, clockOrigin: .distantPast)
        }
        #expect(new.isCurrent && variant.withLock { $0.publication } === new)
        #expect(try await memory.ask().told == "new hit")
    }

    @Test func `an outage from before the pin lasts under it until the upstream answers`() async throws {
        _ = try await memory.ask()
        upstream.fails(Self.html)
        _ = try await refresh()
        let since = wall.now
        pass(.seconds(60))
        pin("pinned")
        _ = try await follow()
        #expect(troubles.map(\.since) == [since])
        _ = try await refresh()
        #expect(troubles.map(\.since) == [since])
        upstream.works(makeCatalogue("newer"), wall)
        _ = try await refresh()
        #expect(troubles.isEmpty)
        #expect(log.seen.last == "notice: refreshes behind the pin succeed again")
    }
}
