internal import Concurrency
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryRefreshTests {
    @Test(arguments: [false, true])
    func `a thousand callers at once cause one refresh`(isWarm: Bool) async throws {
        let fixture = MemoryFixture()
        if isWarm {
            try await fixture.warm()
            fixture.pass(.seconds(100))
        }
        fixture.works("Cup")
        fixture.upstream.hold()
        let arrived = Observed(0)
        let revisions = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    arrived.update { $0 += 1 }
                    return try await fixture.memory.ask().snapshot.revision
                }
            }
            await arrived.wait { $0 == 1000 }
            await fixture.upstream.wait(parked: 1)
            fixture.upstream.release()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(revisions == [makeCatalogue("Cup").revision])
        #expect(fixture.upstream.calls == (isWarm ? 2 : 1))
    }

    @Test(arguments: [false, true])
    func `a thousand callers of an upstream that fails cause one try, and all are told`(isWarm: Bool) async throws {
        let fixture = MemoryFixture()
        if isWarm {
            try await fixture.warm()
            fixture.pass(.seconds(100))
        }
        fixture.upstream.fails(MemoryFixture.refused)
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    do { return try await fixture.told() } catch { return "\(error)" }
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        let unavailable = ProductsFailure.unavailable(reason: "refused", since: nil, retryAfter: .seconds(1))
        #expect(outcomes == (isWarm ? ["Mug stale offline"] : ["\(unavailable)"]))
        #expect(fixture.upstream.calls == (isWarm ? 2 : 1))
    }

    @Test
    func `the deciding headers are picked for the refresh that is started, and for none of those who wait for it`()
        async throws
    {
        let fixture = MemoryFixture()
        fixture.works()
        fixture.upstream.hold()
        let variant = fixture.memory.variant(for: ProductsRequest())
        let picked = Shared(0)
        let request = { () -> ProductsRequest in
            picked.withLock { $0 += 1 }
            return ProductsRequest()
        }
        let refreshes = (0..<3).map { _ in
            variant.withLock { fixture.memory.startedRefresh(of: variant, &$0, request()) }
        }
        fixture.upstream.release()
        for refresh in refreshes { _ = await refresh.value }
        #expect(picked.withLock { $0 } == 1)
    }

    @Test func `who may have a stale answer never waits for the refresh`() async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.seconds(31))
        fixture.upstream.hold()
        for _ in 0..<100 { #expect(try await fixture.told() == "Mug stale") }
        await fixture.upstream.wait(parked: 1)
        for _ in 0..<100 { #expect(try await fixture.told() == "Mug stale") }
        fixture.upstream.release()
        await fixture.refreshes(2)
        #expect(try await fixture.told() == "Cup hit")
        #expect(fixture.upstream.calls == 2)
    }

    @Test func `nobody waits for an upstream that is known to fail, not even for the next try`() async throws {
        let fixture = MemoryFixture()
        try await fixture.warm()
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(100))
        #expect(try await fixture.told() == "Mug stale offline")
        fixture.pass(.seconds(1))
        fixture.upstream.hold()
        for _ in 0..<100 { #expect(try await fixture.told() == "Mug stale offline") }
        await fixture.upstream.wait(parked: 1)
        #expect(fixture.upstream.calls == 3)
        fixture.upstream.release()
    }

    @Test func `killing the caller that caused a refresh changes nothing for the others`() async throws {
        let fixture = MemoryFixture()
        fixture.works()
        fixture.upstream.hold()
        let first = Task { try await fixture.memory.ask() }
        await fixture.upstream.wait(parked: 1)
        let second = Task { try await fixture.told() }
        first.cancel()
        fixture.upstream.release()
        #expect(try await second.value.hasPrefix("Mug "))
        _ = try? await first.value
        #expect(try await fixture.told() == "Mug hit")
        #expect(fixture.upstream.calls == 1)
        #expect(fixture.upstream.cancellations == 0)
    }

    @Test func `a refresh is the service's own: no caller's wishes go with it`() async throws {
        let fixture = MemoryFixture()
        fixture.works()
        _ = try await fixture.memory.products(
            for: ProductsRequest(headers: ["x-tier": "gold", "x-user": "me"], analyticsOptOut: true))
        fixture.pass(.seconds(100))
        _ = try await fixture.memory.ask()
        let requests = fixture.upstream.requests
        #expect(requests.map(\.analyticsOptOut) == [false, false])
        #expect(requests.map(\.headers) == [[:], [:]])
    }

    @Test
    func `pauses double from hold_off to 30s while the upstream fails, and begin anew after a success`() async throws {
        let fixture = MemoryFixture()
        fixture.upstream.fails(MemoryFixture.refused)
        #expect(try await pauses(7, fixture) == [1, 2, 4, 8, 16, 30, 30])
        fixture.works()
        fixture.pass(.seconds(30))
        #expect(try await fixture.told() == "Mug miss")
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(700))
        #expect(try await pauses(3, fixture) == [1, 2, 4])
    }

    @Test(arguments: [-3600, 3600])
    func `pauses are measured by uptime: a wall clock that jumps neither skips nor prolongs one`(seconds: Int)
        async throws
    {
        let fixture = MemoryFixture()
        fixture.upstream.fails(MemoryFixture.refused)
        #expect(try await pauses(1, fixture) == [1])
        fixture.wall.advance(by: .seconds(seconds))
        #expect(try await fixture.memory.failure() != nil)
        #expect(fixture.upstream.calls == 1)
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.memory.failure() != nil)
        #expect(fixture.upstream.calls == 2)
    }

    /// The pauses, in seconds, after so many tries that failed, each made as soon as it may be.
    private func pauses(_ count: Int, _ fixture: MemoryFixture) async throws -> [Int64] {
        var pauses: [Int64] = []
        for _ in 0..<count {
            if let last = pauses.last { fixture.pass(.seconds(last)) }
            let calls = fixture.upstream.calls
            let failure = try await fixture.memory.failure()
            #expect(fixture.upstream.calls == calls + 1)
            pauses.append(failure?.retryAfter?.components.seconds ?? 0)
        }
        return pauses
    }
}
