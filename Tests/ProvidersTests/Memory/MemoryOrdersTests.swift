internal import Concurrency
internal import Dispatch
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Tracing

@testable internal import Providers

/// Runs jobs one after the other, in the order in which they come.
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct MemoryOrdersTests {
    private let fixture = MemoryFixture()
    private static let pinning = RefreshOrder(isForced: true, supersedes: true)

    @Test func `a fresh catalogue is asked for all the same, and the result says what changed`() async throws {
        #expect(await fixture.outcomes() == ["failed not-stored nothing nothing"])
        fixture.pass(.seconds(1))
        fixture.works()
        #expect(await fixture.outcomes() == ["fetched nothing Mug"])
        #expect(await fixture.outcomes() == ["unchanged Mug Mug"])
        fixture.works("Cup")
        #expect(await fixture.outcomes() == ["fetched Mug Cup"])
        #expect(try await fixture.told() == "Cup hit")
        fixture.upstream.fails(MemoryFixture.refused)
        #expect(await fixture.outcomes() == ["failed refused Cup Cup"])
        #expect(try await fixture.told() == "Cup stale offline")
        #expect(fixture.upstream.calls == 5)
    }

    @Test
    func `an order joins the refresh that runs, and a forced one has another behind it, which no cache may answer`()
        async throws
    {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.upstream.hold()
        async let first = fixture.outcomes()
        await fixture.upstream.wait(parked: 1)
        // One thread in order: once a task has come to its turn so often, those before it have joined.
        let thread = OneThread()
        let second = Task(executorPreference: thread) { [fixture] in await fixture.outcomes() }
        let third = Task(executorPreference: thread) { [fixture] in
            await fixture.outcomes(RefreshOrder(isForced: true))
        }
        await Task(executorPreference: thread) { for _ in 0..<50 { await Task.yield() } }.value
        fixture.upstream.release()
        #expect(await [first, second.value, third.value] == Array(repeating: ["fetched Mug Cup"], count: 3))
        #expect(fixture.upstream.requests.map(\.revalidates) == [false, false, true])
    }

    @Test func `an order beside a refresh that takes another replica's catalogue has one of its own`() async throws {
        let store = ScriptedProvider()
        let fixture = MemoryFixture(followed: [store])
        try await fixture.warm()
        fixture.upstream.hold()
        store.hasNewer(true)
        async let followed = fixture.memory.follow(isChangedBelow: false)
        await fixture.upstream.wait(parked: 1)
        let thread = OneThread()
        let order = Task(executorPreference: thread) { [fixture] in await fixture.outcomes() }
        await Task(executorPreference: thread) { for _ in 0..<50 { await Task.yield() } }.value
        let count = fixture.upstream.requests.count
        store.hasNewer(false)
        fixture.upstream.release()
        _ = await (followed, order.value)
        #expect(fixture.upstream.requests.count == count + 1)
    }

    @Test
    func
        `refreshes of a hook and forced ones ask caches before the source to confirm; what a store has newer does not`()
        async throws
    {
        let store = ScriptedProvider()
        let fixture = MemoryFixture(followed: [store])
        try await fixture.warm()
        for order in [
            RefreshOrder(supersedes: true), RefreshOrder(isForced: true), Self.pinning, RefreshOrder(),
        ] {
            _ = await fixture.outcomes(order)
        }
        store.hasNewer(true)
        let following = Task { await fixture.memory.follow(isChangedBelow: false) }
        await fixture.upstream.wait(calls: 6)
        store.hasNewer(false)
        _ = await following.value
        #expect(fixture.upstream.requests.map(\.revalidates).suffix(5) == [true, true, true, false, false])
    }

    @Test
    func `an order that supersedes does not wait for an upstream that heeds nothing, and nothing of it is kept`()
        async throws
    {
        let upstream = DeafProvider()
        let memory = MemoryProductsProviderDecorator(
            upstream: upstream, wallClock: fixture.wall.wallClock, clock: fixture.clock, logger: fixture.log.logger)
        let waiter = Task { try await memory.ask().told }
        await upstream.wait(calls: 1)
        let results = Task { await memory.refresh(Self.pinning) }
        await upstream.wait(calls: 2)
        upstream.answer(2, makeCatalogue("Cup"), fixture.wall)
        #expect(await results.value.map(\.outcome) == [.fetched])
        #expect(try await waiter.value == "Cup miss")
        await fixture.refreshes(1)
        upstream.answer(1, makeCatalogue("Mug"), fixture.wall)
        #expect(try await memory.ask().told == "Cup hit")
        #expect(fixture.log.count(of: "debug: refresh ended, upstream state unchanged") == 0)
        #expect(memory.variants.all.allSatisfy { $0.withLock { $0.refresh == nil && $0.run == nil } })
    }

    @Test func `orders that supersede one another end with the outcome of the last`() async throws {
        let upstream = DeafProvider()
        let memory = MemoryProductsProviderDecorator(
            upstream: upstream, wallClock: fixture.wall.wallClock, clock: fixture.clock, logger: fixture.log.logger)
        let first = Task { await memory.refresh(Self.pinning) }
        await upstream.wait(calls: 1)
        let second = Task { await memory.refresh(Self.pinning) }
        await upstream.wait(calls: 2)
        let third = Task { await memory.refresh(Self.pinning) }
        await upstream.wait(calls: 3)
        upstream.answer(2, makeCatalogue("Mug"), fixture.wall)
        upstream.answer(3, makeCatalogue("Cup"), fixture.wall)
        for task in [first, second, third] {
            #expect(await task.value.first?.after?.revision == makeCatalogue("Cup").revision)
        }
        #expect(try await memory.ask().told == "Cup hit")
        upstream.answer(1, makeCatalogue("Jar"), fixture.wall)
    }

    @Test
    func `a preparation holds a catalogue that supersedes back for 300 ms, and lets go of one that is superseded`()
        async throws
    {
        try await fixture.warm()
        let preparing = HeldPreparation(fixture.signal)
        fixture.works("Cup")
        fixture.pass(.seconds(31))
        #expect(try await fixture.told() == "Mug stale")
        await preparing.wait(calls: 1)
        fixture.works("Jar")
        let results = Task { await fixture.outcomes(Self.pinning) }
        await preparing.wait(calls: 2)
        #expect(preparing.calls == ["Mug -> Cup", "Mug -> Jar"])
        await yieldUntil { fixture.clock.sleepers == 1 }
        fixture.pass(.milliseconds(299))
        #expect(try await fixture.told() == "Mug stale")
        fixture.pass(.milliseconds(1))
        #expect(await results.value == ["fetched Mug Jar"])
        #expect(try await fixture.told() == "Jar hit")
        preparing.release()
    }

    @Test func `the pause after a failure is told, and a forced order goes past it`() async throws {
        try await fixture.warm()
        fixture.upstream.fails(MemoryFixture.refused)
        #expect(await fixture.outcomes() == ["failed refused Mug Mug"])
        #expect(await fixture.outcomes() == ["failed unavailable Mug Mug"])
        // The catalogue is served: the pause is reported with the failure that caused it, not as a lack of a catalogue.
        let failure = try #require(await fixture.memory.refresh(RefreshOrder()).first?.failure)
        #expect("\(failure)" == "\(MemoryFixture.refused); the upstream is asked again after 1s")
        #expect(fixture.upstream.calls == 2)
        fixture.works("Cup")
        #expect(await fixture.outcomes(RefreshOrder(isForced: true)) == ["fetched Mug Cup"])
        #expect(try await fixture.told() == "Cup hit")
    }

    @Test
    func `a forced order goes through an open breaker, also where it joins a refresh that does not`() async throws {
        let breaker = CircuitBreakerProductsProviderDecorator(
            upstream: fixture.upstream, clock: fixture.clock, logger: fixture.log.logger)
        let memory = MemoryProductsProviderDecorator(
            upstream: breaker, policy: FreshnessPolicy(holdOff: .zero), wallClock: fixture.wall.wallClock,
            clock: fixture.clock, logger: fixture.log.logger)
        fixture.upstream.fails(MemoryFixture.refused)
        for _ in 0..<5 { _ = await memory.refresh(RefreshOrder(isForced: true)) }
        fixture.works()
        fixture.pass(.seconds(5))
        #expect(await memory.refresh(RefreshOrder()).first?.failure?.token == "circuit-open")
        #expect(fixture.upstream.calls == 5)
        #expect(await memory.refresh(RefreshOrder(isForced: true)).map(\.outcome) == [.fetched])
        #expect(breaker.shown.hasPrefix("state closed"))
    }

    @Test func `every audience that has asked is refreshed, and that of requests without headers`() async throws {
        let shelf = AudienceFixture()
        _ = try await shelf.told("gold")
        #expect(await shelf.memory.refresh(RefreshOrder()).count == 2)
        #expect(shelf.gold.calls == 2)
        #expect(shelf.rest.calls == 1)
    }

    @Test
    func `a catalogue that is pinned below says so in each answer, also in those of a lease, until it is another one`()
        async throws
    {
        try await fixture.warm()
        fixture.upstream.does { [wall = fixture.wall] in
            ProductsAnswer(
                snapshot: ProductsSnapshot(catalogue: makeCatalogue("Cup"), fetchedAt: wall.now, origin: .store),
                trail: [TrailStep(node: "disk", outcome: .pinned)])
        }
        let results = await fixture.memory.refresh(Self.pinning)
        #expect(results.map(\.isPinned) == [true])
        let hit = try await fixture.memory.ask()
        #expect((hit.standing == .pinned) && hit.freshness?.isPinned == true)
        #expect(hit.trail.map(\.description) == ["memory: pinned", "memory: hit"])
        let leased = try await fixture.lease().answer(for: ProductsRequest(), at: fixture.wall.now)
        #expect(leased?.standing == .pinned)
        fixture.works("Jar")
        #expect(await fixture.outcomes(Self.pinning) == ["fetched Cup Jar"])
        #expect(try await fixture.memory.ask().standing == .confirmed)
    }
}

extension MemoryFixture {
    /// The results of an order, each in one line: `fetched Mug Cup`.
    fileprivate func outcomes(_ order: RefreshOrder = RefreshOrder()) async -> [String] {
        func name(_ catalogue: Catalogue?) -> String {
            catalogue?.products.first?.name.split(separator: " ").first.map { "\($0)" } ?? "nothing"
        }
        return await memory.refresh(order).map { result in
            ([result.outcome.rawValue] + [result.failure?.token].compactMap(\.self)
                + [name(result.before), name(result.after)]).joined(separator: " ")
        }
    }
}

/// A provider that answers each call when the test says so, and does not heed cancellation.
private final class DeafProvider: ProductsProvider {
    private let waiting = Observed<[CheckedContinuation<ProductsAnswer, Never>]>([])

    var calls: Int { waiting.value.count }

    func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        await withCheckedContinuation { continuation in waiting.update { $0.append(continuation) } }
    }

    func wait(calls count: Int) async {
        await waiting.wait { $0.count >= count }
    }

    /// Answers a call, the first being 1.
    func answer(_ call: Int, _ catalogue: Catalogue, _ wall: ManualWallClock) {
        waiting.value[call - 1].resume(
            returning: ProductsAnswer(
                snapshot: ProductsSnapshot(catalogue: catalogue, fetchedAt: wall.now, origin: .network)))
    }
}
