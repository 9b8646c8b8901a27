internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// The trouble that a memory reports to operators while its upstream fails.
struct UpstreamTroubleTests {
    private static let start = ManualWallClock().now
    private static let refused = ProductsFailure.unreachable(.refused, detail: "test")
    private static let forbidden = ProductsFailure.upstreamStatus(401, retryAfter: nil)

    private func makeState(inBackground: Bool = false) -> MemoryState {
        var policy = FreshnessPolicy(ttl: .seconds(30))
        policy.refreshesInBackground = inBackground
        var state = MemoryState(policy: policy, node: "memory")
        finish(&state, nil, at: 0)
        return state
    }

    private func finish(_ state: inout MemoryState, _ failure: ProductsFailure?, at seconds: Int) {
        let answer = ProductsAnswer(snapshot: makeSnapshot(fetchedAt: Self.start))
        _ = state.finish(
            failure.map { .failure($0) } ?? .success(answer), wall: Self.start.addingTimeInterval(Double(seconds)),
            uptime: .seconds(seconds))
    }

    @Test func `since counts from the first failure in a row, and the last one says why`() {
        var state = makeState()
        #expect(state.trouble(uptime: .zero, isRefreshing: false) == nil)
        finish(&state, Self.refused, at: 31)
        finish(&state, Self.forbidden, at: 32)
        let trouble = state.trouble(uptime: .seconds(32), isRefreshing: false)
        #expect(trouble?.since == Self.start + 31)
        #expect(trouble?.failure == Self.forbidden)
        finish(&state, nil, at: 40)
        #expect(state.trouble(uptime: .seconds(40), isRefreshing: false) == nil)
        finish(&state, Self.refused, at: 80)
        #expect(state.trouble(uptime: .seconds(80), isRefreshing: false)?.since == Self.start + 80)
    }

    @Test func `an open breaker does not hide how the upstream fails, unless nothing else is known`() {
        var state = makeState()
        finish(&state, .circuitOpen(retryAfter: .seconds(1)), at: 31)
        #expect(state.trouble(uptime: .zero, isRefreshing: false)?.failure.token == "circuit-open")
        finish(&state, Self.forbidden, at: 32)
        finish(&state, .circuitOpen(retryAfter: .seconds(1)), at: 33)
        #expect(state.trouble(uptime: .zero, isRefreshing: false)?.failure == Self.forbidden)
    }

    @Test(arguments: [
        (31, false, false, UpstreamTrouble.NextTry.after(.seconds(1))), (32, false, false, .onRequest),
        (32, true, false, .after(.zero)), (32, false, true, .running),
    ])
    func `the next try is told: after the pause, or with the next request, or it runs`(
        second: Int, inBackground: Bool, isRefreshing: Bool, nextTry: UpstreamTrouble.NextTry
    ) {
        var state = makeState(inBackground: inBackground)
        finish(&state, Self.refused, at: 31)
        #expect(state.trouble(uptime: .seconds(second), isRefreshing: isRefreshing)?.nextTry == nextTry)
    }

    @Test(arguments: [false, true])
    func `a memory is idle when freshness is over, nothing has failed and a request would refresh`(inBackground: Bool) {
        var state = makeState(inBackground: inBackground)
        func isIdle(_ second: Double) -> Bool? {
            state.snapshot.map { state.freshness($0, .hit).isIdle(at: Self.start + second) }
        }
        #expect(isIdle(30) == false)
        #expect(isIdle(31) == !inBackground)
        #expect(state.snapshot.map { state.freshness($0, .hit, isLate: true).isIdle(at: Self.start + 31) } == false)
        finish(&state, Self.refused, at: 31)
        #expect(isIdle(31) == false)
    }
}
