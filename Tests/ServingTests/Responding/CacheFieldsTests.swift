import FoundationEssentials
import HTTPServer
import Products
import ServingTestSupport
import Testing

@testable import Serving

@Suite struct CacheControlTests {
    private static let fetched = Date(timeIntervalSince1970: 1_800_000_000.123)

    /// A catalogue that is fresh for 30 s, served for 60 s longer while it is refreshed, and for 600 s longer, or not at
    /// all, when that fails.
    private func value(
        _ control: CacheControl = CacheControl(scope: .public, maxAge: .seconds(5)), age: Int, isOffline: Bool = false,
        isServedOnFailure: Bool = true
    ) throws -> String {
        let (freshUntil, window) = (Self.fetched.addingTimeInterval(30), isServedOnFailure ? 600 : 0)
        let freshness = Freshness(
            verdict: .hit, isOffline: isOffline, freshUntil: freshUntil,
            servableUntil: freshUntil.addingTimeInterval(Double(max(60, window))), staleWhileRevalidate: .seconds(60),
            staleIfError: .seconds(window))
        return control.value(for: try Self.answer(freshness), at: Self.fetched + Double(age))
    }

    private static func answer(_ freshness: Freshness?) throws -> ProductsAnswer {
        makeAnswer(try makeCatalogue(), fetchedAt: fetched, freshness: freshness)
    }

    @Test(arguments: [
        (0, "max-age=5, stale-while-revalidate=85, stale-if-error=625"),
        (4, "max-age=5, stale-while-revalidate=81, stale-if-error=621"),
        (29, "max-age=5, stale-while-revalidate=56, stale-if-error=596"),
        (85, "max-age=5, stale-while-revalidate=0, stale-if-error=540"),
        (88, "max-age=5, stale-while-revalidate=0, stale-if-error=537"),
        (600, "max-age=5, stale-while-revalidate=0, stale-if-error=25"),
    ])
    func `a response is fresh for max_age, however old its catalogue is, within the windows of the graph`(
        age: Int, expected: String
    ) throws {
        for isOffline in [false, true] {
            #expect(try value(age: age, isOffline: isOffline) == "public, \(expected)")
        }
    }

    @Test(arguments: [(628, 2), (630, 0), (700, 0)])
    func `freshness ends where the graph stops serving`(age: Int, left: Int) throws {
        #expect(
            try value(age: age) == "public, max-age=\(left), stale-while-revalidate=0, stale-if-error=0")
        let hour = CacheControl(scope: .public, maxAge: .seconds(3600))
        #expect(
            try value(hour, age: 10, isServedOnFailure: false)
                == "public, max-age=80, stale-while-revalidate=0, stale-if-error=0")
    }

    @Test func `a source that is a cache shortens stale-if-error by its age`() throws {
        let freshness = Freshness(
            verdict: .hit, isOffline: false, freshUntil: Self.fetched + 1030, servableUntil: Self.fetched + 1090,
            staleWhileRevalidate: .seconds(60), staleIfError: .seconds(600))
        let control = CacheControl(scope: .public, maxAge: .seconds(5))
        #expect(
            control.value(for: try Self.answer(freshness), at: Self.fetched + 1000)
                == "public, max-age=5, stale-while-revalidate=85, stale-if-error=85")
    }

    @Test func `without memory there are no windows`() throws {
        let control = CacheControl(scope: .private, maxAge: .milliseconds(2500))
        #expect(control.value(for: try Self.answer(nil), at: Self.fetched + 100) == "private, max-age=2")
    }

    @Test func `max_age may be zero or unlimited`() throws {
        let none = try value(CacheControl(scope: .public, maxAge: .zero), age: 7)
        #expect(none.hasPrefix("public, max-age=0, "))
        let endless = CacheControl(scope: .public, maxAge: .seconds(Int64.max))
        #expect(endless.value(for: try Self.answer(nil), at: Self.fetched + 1) == "public, max-age=2147483647")
    }
}

@Suite struct CacheStatusTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        (-18.0, false, "larder; hit; ttl=12; age=18"), (-30, false, "larder; hit; ttl=0; age=30"),
        (-29.5, false, "larder; hit; ttl=0; age=29"), (-30.5, false, "larder; hit; ttl=-1; age=30"),
        (-442, true, "larder; hit; ttl=-412; detail=offline; age=442"),
        (-18, true, "larder; hit; ttl=12; detail=offline; age=18"), (0, false, "larder; hit; ttl=30; age=0"),
        (3600, true, "larder; hit; ttl=30; detail=offline; age=0"),
    ])
    func `a hit has its remaining freshness, never more than ttl`(fetched: Double, isOffline: Bool, value: String)
        throws
    {
        let fetchedAt = Self.now.addingTimeInterval(fetched)
        let freshness = makeFreshness(.hit, isOffline: isOffline, freshUntil: fetchedAt.addingTimeInterval(30))
        let answer = makeAnswer(try makeCatalogue(), fetchedAt: fetchedAt, freshness: freshness)
        #expect(CacheStatus.value(for: answer, at: Self.now) == value)
    }

    @Test(
        arguments: [
            (.miss, nil, true, "larder; fwd=uri-miss; stored"), (.stale, nil, true, "larder; fwd=stale; stored"),
            (.stale, 503, false, "larder; fwd=stale; fwd-status=503; detail=stale-if-error"),
            (.stale, nil, false, "larder; fwd=stale; detail=stale-if-error"),
            (.miss, nil, false, "larder; fwd=uri-miss; detail=stale-if-error"),
        ] as [(Freshness.ForwardReason, Int?, Bool, String)])
    func `a forwarded request has its reason, the upstream's status and whether it is stored`(
        reason: Freshness.ForwardReason, status: Int?, stored: Bool, value: String
    ) throws {
        let freshness = makeFreshness(.forwarded(reason: reason, status: status, stored: stored))
        let answer = makeAnswer(try makeCatalogue(), freshness: freshness)
        #expect(CacheStatus.value(for: answer, at: answer.snapshot.fetchedAt) == "\(value); age=0")
    }

    @Test(arguments: [(3.2, 3), (0, 0), (-7.5, -8)])
    func `members from another source have an entry of their own`(left: Double, ttl: Int) throws {
        let freshness = Freshness(
            verdict: .hit, isOffline: false, freshUntil: Self.now + 12, servableUntil: Self.now + 100,
            staleWhileRevalidate: .seconds(9), staleIfError: .seconds(9), membersFreshUntil: Self.now + left)
        let answer = makeAnswer(try makeCatalogue(), fetchedAt: Self.now, freshness: freshness)
        #expect(
            CacheStatus.value(for: answer, at: Self.now)
                == "larder; hit; ttl=12; age=0, larder-overlay; hit; ttl=\(ttl)")
        let control = CacheControl(scope: .private, maxAge: .zero).value(for: answer, at: Self.now)
        #expect(control.hasSuffix("stale-if-error=\(Int(9 + left + 0.001))"))
    }

    @Test func `a graph without memory is a bypass`() throws {
        let answer = makeAnswer(try makeCatalogue())
        #expect(CacheStatus.value(for: answer, at: answer.snapshot.fetchedAt) == "larder; fwd=bypass; age=0")
    }

    @Test(
        arguments: [
            (.stale, false, "detail=source-stale; age=300"), (.offline, false, "detail=source-offline; age=300"),
            (.offline, true, "detail=offline; age=300"), (nil, false, "age=300"),
        ] as [(SourceStatement.Staleness?, Bool, String)])
    func `the caches before this one come first, and its own entry says that its source is stale`(
        staleness: SourceStatement.Staleness?, isOffline: Bool, end: String
    ) throws {
        let snapshot = ProductsSnapshot(
            catalogue: try makeCatalogue(), fetchedAt: Self.now - 300, checkedAt: Self.now, origin: .network,
            source: SourceStatement(staleness, cacheStatus: "larder; hit; ttl=-270; age=300"))
        let freshness = makeFreshness(.hit, isOffline: isOffline, freshUntil: Self.now + 30)
        let answer = ProductsAnswer(snapshot: snapshot, freshness: freshness)
        let before = "larder; hit; ttl=-270; age=300"
        #expect(CacheStatus.value(for: answer, at: Self.now) == "\(before), larder; hit; ttl=30; \(end)")
    }
}
