internal import Concurrency
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryFreshnessTests {
    @Test(arguments: [
        (0, "Mug hit", 1, "Mug hit"), (30_000, "Mug hit", 1, "Mug hit"),
        (30_001, "Mug stale", 2, "Cup hit"), (90_000, "Mug stale", 2, "Cup hit"),
        (90_001, "Cup stale", 2, "Cup hit"), (630_001, "Cup stale", 2, "Cup hit"),
    ])
    func
        `an upstream that works: young answers come from memory, older ones too with one refresh behind, old ones wait`(
            milliseconds: Int, first: String, refreshes: Int, second: String
        ) async throws
    {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.milliseconds(milliseconds))
        #expect(try await fixture.told() == first)
        await fixture.refreshes(refreshes)
        #expect(try await fixture.told() == second)
        #expect(fixture.upstream.calls == refreshes)
    }

    @Test(arguments: [
        (30_001, "Mug stale", "Mug stale offline"), (90_000, "Mug stale", "Mug stale offline"),
        (90_001, "Mug stale offline", "Mug stale offline"), (630_000, "Mug stale offline", "Mug stale offline"),
    ])
    func `an upstream that fails: the last good answer is served as long as it may be`(
        milliseconds: Int, first: String, second: String
    ) async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.milliseconds(milliseconds))
        #expect(try await fixture.told() == first)
        await fixture.refreshes(2)
        #expect(try await fixture.told() == second)
        #expect(fixture.upstream.calls == 2)
    }

    @Test func `beyond stale_if_error nothing is served, until the upstream works again`() async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        let confirmed = fixture.wall.now
        fixture.upstream.fails(.upstreamStatus(503, retryAfter: nil))
        fixture.pass(.milliseconds(630_001))
        let expected = ProductsFailure.unavailable(reason: "status-503", since: confirmed, retryAfter: .seconds(1))
        #expect(try await fixture.memory.failure() == expected)
        fixture.pass(.milliseconds(400))
        let later = ProductsFailure.unavailable(
            reason: "status-503", since: confirmed, retryAfter: .milliseconds(600))
        #expect(try await fixture.memory.failure() == later)
        #expect(fixture.upstream.calls == 2)
        fixture.works("Cup")
        fixture.pass(.milliseconds(600))
        #expect(try await fixture.told() == "Cup stale")
        #expect(try await fixture.told() == "Cup hit")
    }

    @Test
    func `a wall clock that jumps back makes nothing older than it is, and does not stop the refreshing`() async throws
    {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.works("Cup")
        fixture.wall.advance(by: .seconds(-86_400))
        #expect(try await fixture.memory.ask().snapshot.age(at: fixture.wall.now) == .zero)
        #expect(try await fixture.told() == "Mug hit")
        fixture.pass(.seconds(31))
        #expect(try await fixture.told() == "Mug stale")
        await fixture.refreshes(2)
        #expect(try await fixture.told() == "Cup hit")
        #expect(try await fixture.memory.ask().freshness?.freshUntil == fixture.wall.now.advanced(by: .seconds(30)))
    }

    @Test(arguments: [-3, -3_600, -86_400 * 30])
    func `a wall clock that is set back makes nothing younger, with leases and without`(step: Int) async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        let lease = try await fixture.lease()
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(40))
        _ = try await fixture.memory.ask()
        await fixture.refreshes(2)
        for _ in 0..<2 {
            fixture.wall.advance(by: .seconds(step))
            #expect(lease.answer(for: ProductsRequest(), at: fixture.wall.now) == nil)
            let answer = try await fixture.memory.ask()
            #expect(answer.snapshot.age(at: fixture.wall.now) == .seconds(40))
            #expect(answer.freshness?.state(at: fixture.wall.now) == .offline)
        }
        let renewed = try await fixture.lease()
        #expect(
            renewed.answer(for: ProductsRequest(), at: fixture.wall.now)?.snapshot.age(at: fixture.wall.now)
                == .seconds(40))
        fixture.pass(.seconds(20))
        #expect(try await fixture.memory.ask().snapshot.age(at: fixture.wall.now) == .seconds(60))
    }

    @Test func `a wall clock that jumps forward costs one refresh`() async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.works("Cup")
        fixture.wall.advance(by: .seconds(86_400))
        #expect(try await fixture.told() == "Cup stale")
        #expect(try await fixture.told() == "Cup hit")
        #expect(fixture.upstream.calls == 2)
    }

    @Test func `the same catalogue, confirmed again, is fresh again`() async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        for round in 2...4 {
            fixture.pass(.seconds(60))
            #expect(try await fixture.told() == "Mug stale")
            await fixture.refreshes(round)
            #expect(try await fixture.told() == "Mug hit")
        }
        #expect(fixture.log.seen == [])
    }

    @Test(
        arguments: [
            (nil, .forwarded(reason: .stale, status: nil, stored: true)),
            (.upstreamStatus(503, retryAfter: nil), .forwarded(reason: .stale, status: 503, stored: false)),
            (.timedOut(after: nil), .forwarded(reason: .stale, status: nil, stored: false)),
        ] as [(ProductsFailure?, Freshness.Verdict)])
    func `an answer that was waited for tells why, and what became of the asking`(
        failure: ProductsFailure?, verdict: Freshness.Verdict
    ) async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        if let failure { fixture.upstream.fails(failure) }
        fixture.pass(.seconds(100))
        #expect(try await fixture.memory.ask().freshness?.verdict == verdict)
    }

    @Test
    func `nothing before the first answer, then the catalogue, which at its end may not be served`() async throws {
        let fixture = MemoryFixture()
        #expect(fixture.kept.isEmpty)
        try await fixture.warm()
        #expect(fixture.states == [.fresh])
        #expect(fixture.kept.map(\.snapshot.revision) == [makeCatalogue().revision])
        fixture.pass(.seconds(630))
        #expect(fixture.states == [.stale])
        fixture.pass(.seconds(1))
        #expect(fixture.states == [.expired])
    }
}
