@testable import Concurrency
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

struct HoldOffTests {
    @Test("pauses double from the base up to the cap, and begin anew after a success")
    func doubling() {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        #expect(pauses(8, of: &holdOff) == [1, 2, 4, 8, 16, 30, 30, 30])
        holdOff.succeed()
        #expect(holdOff.remaining(at: .zero) == nil)
        #expect(pauses(2, of: &holdOff) == [1, 2])
    }

    @Test(
        "an upstream that names a time gets it where it is longer, up to the cap",
        arguments: [(nil, 1), (0, 1), (1, 1), (7, 7), (30, 30), (3600, 30)] as [(Int?, Int)])
    func retryAfter(seconds: Int?, pause: Int) {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        holdOff.fail(at: .seconds(5), retryAfter: seconds.map { .seconds($0) })
        #expect(holdOff.remaining(at: .seconds(5)) == .seconds(pause))
    }

    @Test("a named time is an exception: the doubling goes on beside it")
    func namedTimeInBetween() {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        holdOff.fail(at: .zero, retryAfter: .seconds(20))
        #expect(pauses(2, of: &holdOff) == [2, 4])
    }

    @Test("the border belongs to the time after the pause", arguments: [(0, 1000), (999, 1), (1000, nil), (1001, nil)])
    func border(milliseconds: Int, remaining: Int?) {
        var holdOff = HoldOff(base: .seconds(1), cap: .seconds(30))
        holdOff.fail(at: .zero, retryAfter: nil)
        #expect(holdOff.remaining(at: .milliseconds(milliseconds)) == remaining.map { .milliseconds($0) })
    }

    @Test("a base over the cap is the cap")
    func longBase() {
        var holdOff = HoldOff(base: .seconds(60), cap: .seconds(30))
        #expect(pauses(2, of: &holdOff) == [60, 60])
    }

    @Test("thousands of failures do not overflow")
    func manyFailures() {
        var holdOff = HoldOff(base: .milliseconds(1), cap: .seconds(1_000_000_000))
        for _ in 0..<5000 { holdOff.fail(at: .zero, retryAfter: nil) }
        #expect(holdOff.remaining(at: .zero) == .milliseconds(1 << 32))
    }

    /// The pauses, in seconds, after so many failures in a row.
    private func pauses(_ count: Int, of holdOff: inout HoldOff) -> [Int64] {
        (0..<count).map { _ in
            holdOff.fail(at: .zero, retryAfter: nil)
            return holdOff.remaining(at: .zero)?.components.seconds ?? 0
        }
    }
}
