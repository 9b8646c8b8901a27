internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct BackgroundRefreshTests {
    @Test
    func `the first refresh comes at once, the next ones when freshness ends, without any request`() async throws {
        try await running { fixture async throws in
            await fixture.clock.waitForSleepers()
            #expect(fixture.upstream.calls == 1)
            for (round, name) in ["Cup", "Jug", "Pot"].enumerated() {
                fixture.works(name)
                fixture.pass(.milliseconds(29_999))
                #expect(fixture.upstream.calls == round + 1)
                fixture.pass(.milliseconds(1))
                await fixture.refreshes(round + 2)
                #expect(try await fixture.told() == "\(name) hit")
                await fixture.clock.waitForSleepers()
            }
            #expect(fixture.upstream.calls == 4)
        }
    }

    @Test
    func `a failing upstream is asked at the pace of the hold-off, and freshness comes back without any request`()
        async throws
    {
        try await running { fixture async throws in
            await fixture.clock.waitForSleepers()
            fixture.upstream.fails(MemoryFixture.refused)
            fixture.pass(.seconds(30))
            for (round, pause) in [1, 2, 4, 8].enumerated() {
                await fixture.refreshes(round + 2)
                await fixture.clock.waitForSleepers()
                fixture.pass(.seconds(pause) - .milliseconds(1))
                #expect(fixture.upstream.calls == round + 2)
                if pause == 8 { fixture.works("Cup") }
                fixture.pass(.milliseconds(1))
            }
            await fixture.refreshes(6)
            #expect(try await fixture.told() == "Cup hit")
        }
    }

    @Test func `an upstream that always gives old snapshots is not asked without end`() async throws {
        try await running { fixture async throws in
            await fixture.clock.waitForSleepers()
            fixture.upstream.gives(makeSnapshot(fetchedAt: fixture.wall.now - 3600, origin: .store))
            fixture.pass(.seconds(30))
            await fixture.refreshes(2)
            await fixture.clock.waitForSleepers()
            #expect(fixture.upstream.calls == 2)
        }
    }

    @Test func `a refresh behind a request and the one in the background are never two`() async throws {
        try await running { fixture async throws in
            await fixture.clock.waitForSleepers()
            fixture.upstream.hold()
            fixture.wall.advance(by: .seconds(31))
            #expect(try await fixture.told() == "Mug stale")
            await fixture.upstream.wait(parked: 1)
            fixture.clock.advance(by: .seconds(30))
            for _ in 0..<10 { #expect(try await fixture.told() == "Mug stale") }
            fixture.upstream.release()
            await fixture.clock.waitForSleepers()
            #expect(fixture.upstream.calls == 2)
        }
    }

    @Test func `it ends when its task is cancelled`() async throws {
        let fixture = MemoryFixture()
        fixture.works()
        let task = Task { try await fixture.memory.refreshInBackground() }
        await fixture.clock.waitForSleepers()
        task.cancel()
        _ = await task.result
        #expect(fixture.clock.sleepers == 0)
        #expect(fixture.upstream.calls == 1)
    }

    @Test
    func `it does not wait for an upstream that hangs when its task is cancelled, and what that brings is kept`()
        async throws
    {
        let fixture = MemoryFixture()
        fixture.works()
        fixture.upstream.hold()
        let task = Task { try await fixture.memory.refreshInBackground() }
        await fixture.upstream.wait(parked: 1)
        task.cancel()
        _ = await task.result
        fixture.upstream.release()
        await fixture.refreshes(1)
        #expect(try await fixture.told() == "Mug hit")
        #expect(fixture.upstream.calls == 1)
    }

    /// Runs the body while a memory whose upstream works refreshes itself.
    private func running(_ body: (MemoryFixture) async throws -> Void) async throws {
        let fixture = MemoryFixture()
        fixture.works()
        let task = Task { try await fixture.memory.refreshInBackground() }
        try await attempt {
            try await body(fixture)
        } finally: {
            task.cancel()
            _ = await task.result
        }
    }
}
