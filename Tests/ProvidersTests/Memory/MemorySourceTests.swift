internal import Concurrency
internal import FoundationEssentials
internal import Health
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// Troubles and log lines of a memory whose source marks its own answer as stale.
@Suite(.timeLimit(.minutes(1)))
struct MemorySourceTests {
    private let fixture = MemoryFixture()

    private func gives(_ staleness: SourceStatement.Staleness?, age: Double) {
        fixture.upstream.does { [wall = fixture.wall] in
            ProductsAnswer(
                snapshot: ProductsSnapshot(
                    catalogue: makeCatalogue(), fetchedAt: wall.now - age, checkedAt: wall.now, origin: .network,
                    source: SourceStatement(staleness, cacheStatus: "cdn; hit; ttl=-9")))
        }
    }

    @Test
    func `a stale source is a trouble since it confirmed the catalogue, and is logged when it begins and ends`()
        async throws
    {
        let start = fixture.wall.now
        gives(nil, age: 5)
        _ = try await fixture.memory.ask()
        #expect(fixture.memory.troubles.isEmpty)
        for age in [300.0, 331] {
            fixture.pass(.seconds(31))
            gives(.offline, age: age)
            _ = await fixture.memory.refresh(RefreshOrder())
        }
        let trouble = try #require(fixture.memory.troubles.first)
        #expect(trouble.kind == .source && trouble.since == start - 269)
        #expect(trouble.cause == "it serves a kept answer, since its own source fails (cdn; hit; ttl=-9)")
        gives(nil, age: 0)
        _ = await fixture.memory.refresh(RefreshOrder())
        #expect(fixture.memory.troubles.isEmpty)
        let lines = ["warning: the source marks its answers as stale", "notice: the source gives fresh answers again"]
        #expect(lines.map { fixture.log.count(of: $0) } == [1, 1])
    }

    @Test func `a source that says no age is a trouble since the first of its stale answers`() async throws {
        let start = fixture.wall.now
        for _ in 0..<3 {
            gives(.stale, age: 0)
            _ = await fixture.memory.refresh(RefreshOrder())
            fixture.pass(.seconds(31))
        }
        #expect(fixture.memory.troubles.map(\.since) == [start])
    }

    @Test func `a pin and a substitute for a failure do not end it in the log, and an answer of the source does`()
        async throws
    {
        gives(.stale, age: 9)
        _ = await fixture.memory.refresh(RefreshOrder())
        fixture.upstream.does { [wall = fixture.wall] in
            ProductsAnswer(
                snapshot: ProductsSnapshot(catalogue: makeCatalogue("Cup"), fetchedAt: wall.now, origin: .store),
                trail: [TrailStep(node: "disk", outcome: .pinned)])
        }
        _ = await fixture.memory.refresh(RefreshOrder(isForced: true, supersedes: true))
        #expect(try await fixture.memory.ask().standing == .pinned && fixture.memory.troubles.map(\.kind) == [.source])
        fixture.fallsBack(to: makeSnapshot("Jar", fetchedAt: fixture.wall.now, origin: .bundled))
        _ = await fixture.memory.refresh(RefreshOrder(isForced: true))
        #expect(try await fixture.memory.ask().snapshot.origin == .store)
        #expect(fixture.memory.troubles.map(\.kind) == [.source])
        let (begin, end) = (
            "warning: the source marks its answers as stale", "notice: the source gives fresh answers again"
        )
        #expect(fixture.log.count(of: begin) == 1 && fixture.log.count(of: end) == 0)
        gives(nil, age: 0)
        _ = await fixture.memory.refresh(RefreshOrder(isForced: true))
        #expect(fixture.memory.troubles.isEmpty)
        #expect(fixture.log.count(of: begin) == 1 && fixture.log.count(of: end) == 1)
    }

    @Test func `of the parts of a merge the oldest and the stalest count`() async throws {
        let (now, old) = (fixture.wall.now, SourceStatement(.stale, cacheStatus: "cdn; hit; ttl=-9"))
        let stated: [(age: Double, SourceStatement?)] = [(0, nil), (60, SourceStatement(.offline)), (90, old)]
        let parts = stated.map { age, statement in
            ProductsAnswer(
                snapshot: ProductsSnapshot(
                    catalogue: makeCatalogue(), fetchedAt: now - age, checkedAt: now, origin: .network,
                    source: statement))
        }
        let joined = MergeParts(answers: parts)
        #expect(joined.fetchedAt == now - 90 && joined.checkedAt == now && joined.source == SourceStatement(.offline))
    }
}
