internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// What a fallback below gives is an answer, but no proof that the upstream works.
@Suite(.timeLimit(.minutes(1)))
struct MemoryFallbackTests {
    @Test
    func `after a restart with the upstream off, the stored snapshot is served at its true age and counts as offline`()
        async throws
    {
        let fixture = MemoryFixture()
        fixture.fallsBack(to: makeSnapshot(fetchedAt: fixture.wall.now - 120, origin: .store))
        let answer = try await fixture.memory.ask()
        #expect(answer.snapshot.age(at: fixture.wall.now) == .seconds(120))
        #expect(answer.steps == ["fallback: refused", "memory: miss"])
        #expect(answer.freshness?.isOffline == true)
        #expect(answer.freshness?.verdict == .forwarded(reason: .miss, status: nil, stored: false))
        #expect(try await fixture.told() == "Mug stale offline")
        #expect(fixture.upstream.calls == 1)
    }

    @Test
    func `a catalogue that could not be compared is told as such from memory too, until the next one`() async throws {
        let fixture = MemoryFixture()
        let snapshot = makeSnapshot(fetchedAt: fixture.wall.now)
        fixture.upstream.does {
            ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: "below", outcome: .unchecked)])
        }
        for _ in 0..<2 { #expect(try await fixture.memory.ask().standing == .unchecked) }
        #expect(fixture.upstream.calls == 1)
        fixture.works("Cup")
        fixture.pass(.seconds(31))
        #expect(try await fixture.memory.ask().standing == .unchecked)
        await fixture.refreshes(2)
        let cup = try await fixture.memory.ask()
        #expect(cup.standing == .confirmed)
        #expect(cup.snapshot.revision == makeCatalogue("Cup").revision)
    }

    @Test
    func `a stored snapshot that is young by its date keeps the upstream from being asked no longer than the hold-off`()
        async throws
    {
        let fixture = MemoryFixture()
        fixture.fallsBack(to: makeSnapshot(fetchedAt: fixture.wall.now - 5, origin: .store))
        #expect(try await fixture.told() == "Mug miss offline")
        fixture.works("Cup")
        fixture.pass(.milliseconds(999))
        #expect(try await fixture.told() == "Mug stale offline")
        #expect(fixture.upstream.calls == 1)
        fixture.pass(.milliseconds(1))
        #expect(try await fixture.told() == "Mug stale offline")
        await fixture.refreshes(2)
        #expect(try await fixture.told() == "Cup hit")
        #expect(
            fixture.log.seen == [
                "warning: upstream fails, serving the last good catalogue", "notice: upstream recovered",
            ])
    }

    @Test func `a stored snapshot that is too old is not served`() async throws {
        let fixture = MemoryFixture()
        let old = makeSnapshot(fetchedAt: fixture.wall.now - 631, origin: .store)
        fixture.fallsBack(to: old)
        let expected = ProductsFailure.unavailable(reason: "refused", since: old.fetchedAt, retryAfter: .seconds(1))
        #expect(try await fixture.memory.failure() == expected)
        #expect(try await fixture.memory.failure() == expected)
        #expect(fixture.upstream.calls == 1)
    }

    @Test func `the upstream's own Retry-After counts also where a fallback hid the failure`() async throws {
        let fixture = MemoryFixture()
        fixture.fallsBack(
            to: makeSnapshot(fetchedAt: fixture.wall.now, origin: .store),
            from: .upstreamStatus(503, retryAfter: .seconds(20)))
        _ = try await fixture.told()
        fixture.pass(.milliseconds(19_999))
        _ = try await fixture.told()
        #expect(fixture.upstream.calls == 1)
        fixture.pass(.milliseconds(1))
        _ = try await fixture.told()
        await fixture.upstream.wait(calls: 2)
    }
}
