internal import Testing

@testable internal import Providers

struct FreshnessPolicyTests {
    private static let policy = FreshnessPolicy(
        ttl: .seconds(30), staleWhileRevalidate: .seconds(60), staleIfError: .seconds(600))

    @Test("the windows both begin where freshness ends, so neither adds to the other")
    func windows() {
        let policy = FreshnessPolicy(ttl: .zero, staleWhileRevalidate: .seconds(10), staleIfError: .seconds(10))
        #expect(policy.stage(atAge: .seconds(10)) == .revalidating)
        #expect(policy.stage(atAge: .milliseconds(10_001)) == .expired)
    }

    @Test("the defaults are the config file's")
    func defaults() {
        let policy = FreshnessPolicy()
        #expect(policy.ttl == .seconds(30))
        #expect(policy.staleWhileRevalidate == .seconds(60))
        #expect(policy.staleIfError == .seconds(7 * 24 * 3600))
        #expect(policy.holdOff == .seconds(1))
        #expect(policy.longestHoldOff == .seconds(30))
    }
}
