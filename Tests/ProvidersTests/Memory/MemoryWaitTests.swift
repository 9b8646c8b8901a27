@testable import Tracing
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryWaitTests {
    private static let late = "warning: a refresh takes long, serving the last good catalogue"
    private static let over = "notice: the refresh that took long has ended"
    private let fixture = MemoryFixture()

    /// A request that waits for a refresh that hangs, for as long as requests wait.
    private func waitInVain() async -> Task<String, any Error> {
        fixture.upstream.hold()
        let waiting = Task { [fixture] in try await fixture.told() }
        await fixture.upstream.wait(parked: 1)
        await fixture.clock.waitForSleepers()
        fixture.pass(.seconds(3))
        return waiting
    }

    @Test
    func `a request waits three seconds and gets the stale answer; then nobody waits until the refresh has ended`()
        async throws
    {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.seconds(100))
        let waiting = await waitInVain()
        #expect(try await waiting.value == "Mug stale")
        for _ in 0..<100 { #expect(try await fixture.told() == "Mug stale") }
        #expect(fixture.kept.first?.freshness?.isLate == true)
        #expect(fixture.log.seen == [Self.late])
        #expect(fixture.upstream.calls == 2)
        fixture.upstream.release()
        await fixture.refreshes(4)
        #expect(fixture.log.seen == [Self.late, Self.over])
        #expect(try await fixture.told() == "Cup hit")
        #expect(fixture.upstream.cancellations == 0)
    }

    @Test func `the wait counts from the start of the refresh, not from the request`() async throws {
        try await fixture.warm()
        fixture.pass(.seconds(31))
        fixture.upstream.hold()
        #expect(try await fixture.told() == "Mug stale")
        await fixture.upstream.wait(parked: 1)
        fixture.pass(.seconds(100))
        #expect(try await fixture.told() == "Mug stale")
        fixture.upstream.release()
        await fixture.refreshes(4)
    }

    @Test
    func `with nothing that may be served a request waits for as long as it takes, and readiness knows`() async throws {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.seconds(700))
        let kept = { [fixture] in fixture.kept.first }
        #expect(kept()?.freshness?.isLate == false)
        let waiting = await waitInVain()
        await fixture.log.wait(lines: 2)
        #expect(fixture.log.seen == ["warning: a refresh takes long, nothing to serve"])
        #expect(fixture.states == [.expired])
        #expect(kept()?.freshness?.isLate == true)
        #expect(kept()?.freshness?.isOffline == false)
        fixture.upstream.release()
        #expect(try await waiting.value == "Cup stale")
        #expect(kept()?.freshness?.isLate == false)
    }

    @Test func `a refresh that ends in time is waited for, and no alarm is left behind`() async throws {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.seconds(100))
        fixture.upstream.hold()
        let waiting = Task { [fixture] in try await fixture.told() }
        await fixture.upstream.wait(parked: 1)
        await fixture.clock.waitForSleepers()
        fixture.pass(.milliseconds(2_999))
        fixture.upstream.release()
        #expect(try await waiting.value == "Cup stale")
        await yieldUntil { fixture.clock.sleepers == 0 }
        #expect(fixture.log.seen == [])
    }
}

/// A lease answers what memory would answer without waiting, and nothing else.
@Suite(.timeLimit(.minutes(1)))
struct MemoryLeaseTests {
    private let fixture = MemoryFixture()

    private func warm() async throws -> ProductsLease {
        try await fixture.warm()
        return try await fixture.lease()
    }

    private func told(_ lease: ProductsLease, cause: (any RequestIdentitySource)? = nil) -> String? {
        var request = ProductsRequest()
        request.cause = cause
        return lease.answer(for: request, at: fixture.wall.now)?.told
    }

    @Test(arguments: [
        (0, "Mug hit", 1), (30_000, "Mug hit", 1), (30_001, "Mug stale", 2), (90_000, "Mug stale", 2),
        (90_001, nil, 1),
    ])
    func `what need not be waited for is answered, with the refresh behind it`(
        milliseconds: Int, told: String?, refreshes: Int
    ) async throws {
        let lease = try await warm()
        fixture.pass(.milliseconds(milliseconds))
        fixture.upstream.hold()
        for _ in 0..<3 { #expect(self.told(lease) == told) }
        fixture.upstream.release()
        await fixture.refreshes(refreshes)
        #expect(fixture.upstream.calls == refreshes)
        #expect(lease.publication.isCurrent == (refreshes == 1))
    }

    @Test func `what it answers is what memory answers, with the refresh that is under way`() async throws {
        let lease = try await warm()
        fixture.upstream.hold()
        for seconds in [0, 31, 50] {
            fixture.pass(.seconds(seconds))
            let leased = lease.answer(for: ProductsRequest(), at: fixture.wall.now)
            let asked = try await fixture.memory.ask()
            #expect(leased?.trail == asked.trail)
            #expect(leased?.freshness == asked.freshness)
        }
        await fixture.upstream.wait(parked: 1)
        #expect(fixture.upstream.calls == 2)
        fixture.upstream.release()
        await fixture.refreshes(2)
    }

    @Test func `every refresh withdraws it, whatever its outcome, and the next answer has another one`() async throws {
        var lease = try await warm()
        for (number, isFailing) in [false, true, false, true].enumerated() {
            if isFailing { fixture.upstream.fails(MemoryFixture.refused) } else { fixture.works() }
            fixture.pass(.seconds(35))
            #expect(told(lease) == "Mug stale")
            await fixture.refreshes(number + 2)
            #expect(told(lease) == nil)
            #expect(!lease.publication.isCurrent)
            lease = try await fixture.lease()
            #expect(lease.answer(for: ProductsRequest(), at: fixture.wall.now)?.freshness?.isOffline == isFailing)
        }
    }

    @Test
    func `offline it answers within the window, and asks the upstream again when the pause is over`() async throws {
        _ = try await warm()
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(100))
        #expect(try await fixture.told() == "Mug stale offline")
        let lease = try await fixture.lease()
        for _ in 0..<3 { #expect(told(lease) == "Mug stale") }
        #expect(fixture.upstream.calls == 2)
        fixture.pass(.seconds(1))
        fixture.upstream.hold()
        for _ in 0..<3 { #expect(told(lease) == "Mug stale") }
        await fixture.upstream.wait(parked: 1)
        fixture.upstream.release()
        await fixture.refreshes(3)
        #expect(fixture.upstream.calls == 3)
        #expect(told(lease) == nil)
        let last = try await fixture.lease()
        fixture.pass(.seconds(600))
        #expect(told(last) == nil)
    }

    @Test func `a refresh that takes long withdraws it; the next one answers meanwhile`() async throws {
        let first = try await warm()
        fixture.pass(.seconds(100))
        fixture.upstream.hold()
        let waiting = Task { [fixture] in try await fixture.told() }
        await fixture.upstream.wait(parked: 1)
        await fixture.clock.waitForSleepers()
        #expect(told(first) == nil)
        fixture.pass(.seconds(3))
        #expect(try await waiting.value == "Mug stale")
        #expect(!first.publication.isCurrent)
        let second = try await fixture.lease()
        #expect(told(second) == "Mug stale")
        #expect(second.answer(for: ProductsRequest(), at: fixture.wall.now)?.freshness?.isLate == true)
        #expect(fixture.upstream.calls == 2)
        fixture.upstream.release()
        await fixture.refreshes(4)
        #expect(told(second) == nil)
    }

    @Test func `it keeps neither the memory nor what the memory asks`() async throws {
        let isReleased = Observed(false)
        let wall = ManualWallClock()
        let lease: ProductsLease?
        do {
            let upstream = ScriptedProvider(onDeinit: { isReleased.update { $0 = true } })
            upstream.works(makeCatalogue(), wall)
            let memory = MemoryProductsProviderDecorator(
                upstream: upstream, wallClock: wall.wallClock, clock: ManualClock(), logger: LogRecorder().logger)
            lease = try await memory.ask().handingLease().lease
        }
        await isReleased.wait { $0 }
        wall.advance(by: .seconds(40))
        #expect(lease?.answer(for: ProductsRequest(), at: wall.now)?.told == "Mug stale")
    }

    @Test func `the cause of a request is asked for only where a refresh is started for it`() async throws {
        struct Source: RequestIdentitySource {
            let asked = Shared(0)

            var cause: RequestIdentity {
                asked.withLock { $0 += 1 }
                return RequestIdentity(givenID: "mine", serial: (1, 2))
            }
        }
        let source = Source()
        let lease = try await warm()
        for _ in 0..<3 { #expect(told(lease, cause: source) != nil) }
        #expect(source.asked.withLock { $0 } == 0)
        fixture.pass(.milliseconds(30_001))
        #expect(told(lease, cause: source) != nil)
        await fixture.refreshes(2)
        #expect(source.asked.withLock { $0 } > 0)
        #expect(fixture.upstream.causes.map(\.?.id) == [nil, "mine"])
    }
}
