internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

struct FreshnessPolicyTests {
    @Test func `the windows both begin where freshness ends, so neither adds to the other`() {
        let policy = FreshnessPolicy(ttl: .zero, staleWhileRevalidate: .seconds(10), staleIfError: .seconds(10))
        let snapshot = makeSnapshot()
        let freshness = MemoryState(policy: policy, node: "memory").freshness(snapshot, .hit)
        let end = snapshot.fetchedAt.addingTimeInterval(10)
        #expect(freshness.state(at: end) == .stale)
        #expect(freshness.mayRevalidate(at: end))
        #expect(freshness.state(at: end.addingTimeInterval(0.001)) == .expired)
        #expect(!freshness.mayRevalidate(at: end.addingTimeInterval(0.001)))
    }

    @Test(arguments: [(60, 5), (5, 60)])
    func `a snapshot may be served until both windows are over`(revalidating: Int, failing: Int) {
        let policy = FreshnessPolicy(
            ttl: .seconds(10), staleWhileRevalidate: .seconds(revalidating), staleIfError: .seconds(failing))
        let snapshot = makeSnapshot()
        let freshness = MemoryState(policy: policy, node: "memory").freshness(snapshot, .hit)
        #expect(freshness.servableUntil == snapshot.fetchedAt.addingTimeInterval(70))
    }

    @Test func `the defaults are the config file's`() {
        let policy = FreshnessPolicy()
        #expect(policy.ttl == .seconds(30))
        #expect(policy.staleWhileRevalidate == .seconds(60))
        #expect(policy.staleIfError == .seconds(7 * 24 * 3600))
        #expect(policy.holdOff == .seconds(1))
        #expect(policy.longestHoldOff == .seconds(30))
    }
}
