@testable import API
import FoundationEssentials
import HTTPServer
import Products
import TestSupport
import Testing

@testable import Service

@Suite struct CacheControlTests {
    private static let fetched = Date(timeIntervalSince1970: 1_800_000_000.123)

    /// A catalogue that is fresh for 30 s, served for 60 s longer while it is refreshed, and for 600 s longer, or not at
    /// all, when that fails.
    private func head(
        _ control: CacheControl = CacheControl(scope: .public, maxAge: .seconds(5)), age: Int, isOffline: Bool = false,
        isServedOnFailure: Bool = true
    ) throws -> HTTPHeaderBlock {
        let (freshUntil, window) = (Self.fetched.addingTimeInterval(30), isServedOnFailure ? 600 : 0)
        let freshness = Freshness(
            verdict: .hit, isOffline: isOffline, freshUntil: freshUntil,
            servableUntil: freshUntil.addingTimeInterval(Double(max(60, window))), staleWhileRevalidate: .seconds(60),
            staleIfError: .seconds(window))
        return try control.head(for: Self.answer(freshness), age: age)
    }

    private static func answer(_ freshness: Freshness?) throws -> ProductsAnswer {
        makeAnswer(try makeCatalogue(), fetchedAt: fetched, freshness: freshness)
    }

    @Test(arguments: [
        (0, "max-age=5, stale-while-revalidate=85, stale-if-error=625"),
        (4, "max-age=9, stale-while-revalidate=81, stale-if-error=621"),
        (29, "max-age=34, stale-while-revalidate=56, stale-if-error=596"),
        (85, "max-age=90, stale-while-revalidate=0, stale-if-error=540"),
        (88, "max-age=93, stale-while-revalidate=0, stale-if-error=537"),
        (600, "max-age=605, stale-while-revalidate=0, stale-if-error=25"),
    ])
    func `a response is fresh for max_age more seconds, within the windows of the graph`(age: Int, expected: String)
        throws
    {
        for isOffline in [false, true] {
            let head = try head(age: age, isOffline: isOffline)
            #expect(head.first("Cache-Control") == "public, \(expected)")
            #expect(head.first("X-Accel-Expires") == "5")
        }
    }

    @Test(arguments: [(628, 2), (630, 0), (700, 0)])
    func `freshness ends where the graph stops serving`(age: Int, left: Int) throws {
        let head = try head(age: age)
        #expect(head.first("Cache-Control") == "public, max-age=630, stale-while-revalidate=0, stale-if-error=0")
        #expect(head.first("X-Accel-Expires") == "\(left)")
        let hour = CacheControl(scope: .public, maxAge: .seconds(3600))
        let short = try self.head(hour, age: 10, isServedOnFailure: false)
        #expect(short.first("Cache-Control") == "public, max-age=90, stale-while-revalidate=0, stale-if-error=0")
        #expect(short.first("X-Accel-Expires") == "80")
    }

    @Test func `without memory there are no windows, and private responses are not for nginx`() throws {
        let control = CacheControl(scope: .private, maxAge: .milliseconds(2500))
        let head = try control.head(for: Self.answer(nil), age: 100)
        #expect(head.fields.map(\.name) == ["Cache-Control"])
        #expect(head.first("Cache-Control") == "private, max-age=102")
    }

    @Test func `max_age may be zero or unlimited`() throws {
        let none = try head(CacheControl(scope: .public, maxAge: .zero), age: 7)
        #expect(none.first("Cache-Control")?.hasPrefix("public, max-age=7, ") == true)
        #expect(none.first("X-Accel-Expires") == "0")
        let endless = CacheControl(scope: .public, maxAge: .seconds(Int64.max))
        #expect(try endless.head(for: Self.answer(nil), age: 1).first("X-Accel-Expires") == "2147483647")
    }
}

@Suite struct CacheStatusTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        (-18.0, false, "larder; hit; ttl=12"), (-30, false, "larder; hit; ttl=0"),
        (-29.5, false, "larder; hit; ttl=0"), (-30.5, false, "larder; hit; ttl=-1"),
        (-442, true, "larder; hit; ttl=-412; detail=offline"), (-18, true, "larder; hit; ttl=12; detail=offline"),
        (0, false, "larder; hit; ttl=30"), (3600, true, "larder; hit; ttl=30; detail=offline"),
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
        #expect(CacheStatus.value(for: makeAnswer(try makeCatalogue(), freshness: freshness), at: Self.now) == value)
    }

    @Test func `a graph without memory is a bypass`() throws {
        #expect(CacheStatus.value(for: makeAnswer(try makeCatalogue()), at: Self.now) == "larder; fwd=bypass")
    }
}
