import FoundationEssentials
import Products
import Testing

@testable import Service

@Suite("Cache-Status")
struct CacheStatusTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        "A hit tells how long it is still fresh, never longer than it ever is, or since when not, and what is offline",
        arguments: [
            (-18.0, false, "larder; hit; ttl=12"), (-30, false, "larder; hit; ttl=0"),
            (-29.5, false, "larder; hit; ttl=0"), (-30.5, false, "larder; hit; ttl=-1"),
            (-442, true, "larder; hit; ttl=-412; detail=offline"), (-18, true, "larder; hit; ttl=12; detail=offline"),
            (0, false, "larder; hit; ttl=30"), (3600, true, "larder; hit; ttl=30; detail=offline"),
        ])
    func hit(fetched: Double, isOffline: Bool, value: String) throws {
        let fetchedAt = Self.now.addingTimeInterval(fetched)
        let freshness = makeFreshness(.hit, isOffline: isOffline, freshUntil: fetchedAt.addingTimeInterval(30))
        let answer = makeAnswer(try makeCatalogue(), fetchedAt: fetchedAt, freshness: freshness)
        #expect(CacheStatus.value(for: answer, at: Self.now) == value)
    }

    @Test(
        "A forwarded request tells why, what the upstream said, and whether the answer is kept",
        arguments: [
            (.miss, nil, true, "larder; fwd=uri-miss; stored"), (.stale, nil, true, "larder; fwd=stale; stored"),
            (.stale, 503, false, "larder; fwd=stale; fwd-status=503; detail=stale-if-error"),
            (.stale, nil, false, "larder; fwd=stale; detail=stale-if-error"),
            (.miss, nil, false, "larder; fwd=uri-miss; detail=stale-if-error"),
        ] as [(Freshness.ForwardReason, Int?, Bool, String)])
    func forwarded(reason: Freshness.ForwardReason, status: Int?, stored: Bool, value: String) throws {
        let freshness = makeFreshness(.forwarded(reason: reason, status: status, stored: stored))
        #expect(CacheStatus.value(for: makeAnswer(try makeCatalogue(), freshness: freshness), at: Self.now) == value)
    }

    @Test("A graph that keeps nothing is a bypass")
    func bypass() throws {
        #expect(CacheStatus.value(for: makeAnswer(try makeCatalogue()), at: Self.now) == "larder; fwd=bypass")
    }
}
