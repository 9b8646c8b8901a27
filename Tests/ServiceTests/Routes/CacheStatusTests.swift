import FoundationEssentials
import Products
import Testing

@testable import Service

@Suite("Cache-Status")
struct CacheStatusTests {
    @Test(
        "A hit tells how long it is still fresh, or since when not, and whether the upstream is offline",
        arguments: [
            (-18.0, false, "larder; hit; ttl=12"), (-30, false, "larder; hit; ttl=0"),
            (-29.5, false, "larder; hit; ttl=0"), (-30.5, false, "larder; hit; ttl=-1"),
            (-442, true, "larder; hit; ttl=-412; detail=offline"), (-18, true, "larder; hit; ttl=12; detail=offline"),
        ])
    func hit(fetched: Double, isOffline: Bool, value: String) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let freshness = makeFreshness(
            .hit, isOffline: isOffline, freshUntil: now.addingTimeInterval(fetched + 30))
        #expect(CacheStatus.value(for: freshness, at: now) == value)
    }

    @Test(
        "A forwarded request tells why, what the upstream said, and whether the answer is kept",
        arguments: [
            (.miss, nil, true, "larder; fwd=uri-miss; stored"), (.stale, nil, true, "larder; fwd=stale; stored"),
            (.stale, 503, false, "larder; fwd=stale; fwd-status=503; detail=stale-if-error"),
            (.stale, nil, false, "larder; fwd=stale; detail=stale-if-error"),
            (.miss, nil, false, "larder; fwd=uri-miss; detail=stale-if-error"),
        ] as [(Freshness.ForwardReason, Int?, Bool, String)])
    func forwarded(reason: Freshness.ForwardReason, status: Int?, stored: Bool, value: String) {
        let freshness = makeFreshness(.forwarded(reason: reason, status: status, stored: stored))
        #expect(CacheStatus.value(for: freshness, at: Date(timeIntervalSince1970: 1_800_000_000)) == value)
    }

    @Test("A graph that keeps nothing is a bypass")
    func bypass() {
        #expect(CacheStatus.value(for: nil, at: Date(timeIntervalSince1970: 0)) == "larder; fwd=bypass")
    }
}
