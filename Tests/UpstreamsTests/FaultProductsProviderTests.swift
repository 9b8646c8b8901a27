internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

@Suite(.timeLimit(.minutes(1)))
struct FaultProductsProviderTests {
    private let upstream = ScriptedProvider()
    private let clock = ManualClock()

    @Test(arguments: FaultKind.allCases)
    func `every error is the failure of its name`(kind: FaultKind) async throws {
        #expect((kind.failure?.token ?? "none") == kind.rawValue)
        upstream.gives(makeSnapshot())
        let fault = FaultProductsProvider(failure: kind.failure, upstream: upstream, clock: clock)
        #expect(try await fault.failure() == kind.failure)
        #expect(upstream.calls == (kind == .none ? 1 : 0))
    }

    @Test func `a delay ends on time, before the upstream is asked, and the trail tells of it`() async throws {
        upstream.gives(makeSnapshot())
        let fault = FaultProductsProvider(delay: .seconds(2), upstream: upstream, clock: clock)
        let caller = Task { try await fault.ask() }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1_999))
        #expect(clock.sleepers == 1)
        #expect(upstream.calls == 0)
        clock.advance(by: .milliseconds(1))
        #expect(try await caller.value.steps == ["fault: delayed"])
    }

    @Test func `a failure can be late too`() async throws {
        let fault = FaultProductsProvider(
            failure: .upstreamStatus(503, retryAfter: nil), delay: .seconds(2), upstream: nil, clock: clock)
        let caller = Task { try await fault.failure() }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(try await caller.value == .upstreamStatus(503, retryAfter: nil))
    }

    @Test func `who is cancelled in the delay does not wait for its end`() async throws {
        let fault = FaultProductsProvider(delay: .seconds(2), upstream: upstream, clock: clock)
        let caller = Task { try await fault.ask() }
        await clock.waitForSleepers()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(upstream.calls == 0)
    }
}
