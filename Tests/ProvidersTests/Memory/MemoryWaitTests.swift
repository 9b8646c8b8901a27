@testable import Tracing
internal import Products
internal import Testing
internal import TestSupport

@testable internal import Providers

@Suite("Waiting for a refresh", .timeLimit(.minutes(1)))
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

    @Test("a request waits three seconds and gets the stale answer; then nobody waits until the refresh has ended")
    func stale() async throws {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.seconds(100))
        let waiting = await waitInVain()
        #expect(try await waiting.value == "Mug stale")
        for _ in 0..<100 { #expect(try await fixture.told() == "Mug stale") }
        #expect(fixture.kept.first?.freshness?.isLate == true)
        #expect(try fixture.memory.answerAtHand(for: ProductsRequest()) != nil)
        #expect(fixture.log.seen == [Self.late])
        #expect(fixture.upstream.calls == 2)
        fixture.upstream.release()
        await fixture.refreshes(4)
        #expect(fixture.log.seen == [Self.late, Self.over])
        #expect(try await fixture.told() == "Cup hit")
        #expect(fixture.upstream.cancellations == 0)
    }

    @Test("the wait counts from the start of the refresh, not from the request")
    func lateRequest() async throws {
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

    @Test("with nothing that may be served a request waits for as long as it takes, and readiness knows")
    func expired() async throws {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.seconds(700))
        let kept = { [fixture] in fixture.kept.first }
        #expect(kept()?.freshness?.isLate == false)
        let waiting = await waitInVain()
        await fixture.log.wait(lines: 2)
        #expect(fixture.log.seen == ["warning: a refresh takes long, nothing to serve"])
        #expect(kept()?.isServable == false)
        #expect(kept()?.freshness?.isLate == true)
        #expect(kept()?.freshness?.isOffline == false)
        fixture.upstream.release()
        #expect(try await waiting.value == "Cup stale")
        #expect(kept()?.freshness?.isLate == false)
    }

    @Test("a refresh that ends in time is waited for, and no alarm is left behind")
    func inTime() async throws {
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

/// What is at hand is what a caller who could wait would get.
@Suite(.timeLimit(.minutes(1)))
struct MemoryAtHandTests {
    private let fixture = MemoryFixture()

    @Test(
        "what need not be waited for is at hand, with the refresh behind it",
        arguments: [(0, TrailOutcome.hit, 1), (30_000, .hit, 1), (30_001, .stale, 2), (90_000, .stale, 2)])
    func atHand(milliseconds: Int, outcome: TrailOutcome, refreshes: Int) async throws {
        try await fixture.warm()
        fixture.pass(.milliseconds(milliseconds))
        let answer = try #require(try fixture.memory.answerAtHand(for: ProductsRequest()))
        #expect(answer.trail == [TrailStep(node: "memory", outcome: outcome)])
        #expect(answer.freshness?.verdict == .hit)
        await fixture.refreshes(refreshes)
        #expect(fixture.upstream.calls == refreshes)
    }

    @Test("what has to be waited for is not, and nobody is asked for it before somebody waits")
    func toBeWaitedFor() async throws {
        fixture.works()
        #expect(try fixture.memory.answerAtHand(for: ProductsRequest()) == nil)
        #expect(fixture.upstream.calls == 0)
        #expect(try await fixture.told() == "Mug miss")
        fixture.pass(.seconds(91))
        #expect(try fixture.memory.answerAtHand(for: ProductsRequest()) == nil)
        #expect(fixture.upstream.calls == 1)
        #expect(try await fixture.told() == "Mug stale")
        #expect(fixture.upstream.calls == 2)
    }

    @Test("while the upstream is left alone, so are the refusals that follow, and the old catalogue")
    func whileLeftAlone() async throws {
        fixture.upstream.fails(MemoryFixture.refused)
        let failure = try #require(try await fixture.memory.failure())
        #expect(throws: failure) { try fixture.memory.answerAtHand(for: ProductsRequest()) }
        fixture.works()
        fixture.pass(.seconds(1))
        #expect(try await fixture.told() == "Mug miss")
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(100))
        #expect(try await fixture.told() == "Mug stale offline")
        let answer = try #require(try fixture.memory.answerAtHand(for: ProductsRequest()))
        #expect(answer.freshness?.isOffline == true)
        #expect(fixture.upstream.calls == 3)
    }

    @Test("the cause of a request is asked for only where a refresh is started for it")
    func cause() async throws {
        struct Source: RequestIdentitySource {
            let asked = Shared(0)

            var cause: RequestIdentity {
                asked.withLock { $0 += 1 }
                return RequestIdentity(givenID: "mine", serial: (1, 2))
            }
        }
        let source = Source()
        try await fixture.warm()
        let request = ProductsRequest(cause: source)
        for _ in 0..<3 { #expect(try fixture.memory.answerAtHand(for: request) != nil) }
        #expect(source.asked.withLock { $0 } == 0)
        fixture.pass(.milliseconds(30_001))
        #expect(try fixture.memory.answerAtHand(for: request) != nil)
        await fixture.refreshes(2)
        #expect(source.asked.withLock { $0 } > 0)
    }
}
