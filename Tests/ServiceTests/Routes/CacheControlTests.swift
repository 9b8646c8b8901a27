import FoundationEssentials
import HTTPServer
import Products
import Testing

@testable import Service

@Suite("Cache-Control")
struct CacheControlTests {
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

    @Test(
        "An answer is fresh for max_age more seconds whatever its age, and every window ends where the graph's own does",
        arguments: [
            (0, "max-age=5, stale-while-revalidate=85, stale-if-error=625"),
            (4, "max-age=9, stale-while-revalidate=81, stale-if-error=621"),
            (29, "max-age=34, stale-while-revalidate=56, stale-if-error=596"),
            (85, "max-age=90, stale-while-revalidate=0, stale-if-error=540"),
            (88, "max-age=93, stale-while-revalidate=0, stale-if-error=537"),
            (600, "max-age=605, stale-while-revalidate=0, stale-if-error=25"),
        ])
    func windows(age: Int, expected: String) throws {
        for isOffline in [false, true] {
            let head = try head(age: age, isOffline: isOffline)
            #expect(head.first("Cache-Control") == "public, \(expected)")
            #expect(head.first("X-Accel-Expires") == "5")
        }
    }

    @Test(
        "Nothing is fresh beyond the age at which the graph stops to serve it",
        arguments: [(628, 2), (630, 0), (700, 0)])
    func end(age: Int, left: Int) throws {
        let head = try head(age: age)
        #expect(head.first("Cache-Control") == "public, max-age=630, stale-while-revalidate=0, stale-if-error=0")
        #expect(head.first("X-Accel-Expires") == "\(left)")
        let hour = CacheControl(scope: .public, maxAge: .seconds(3600))
        let short = try self.head(hour, age: 10, isServedOnFailure: false)
        #expect(short.first("Cache-Control") == "public, max-age=90, stale-while-revalidate=0, stale-if-error=0")
        #expect(short.first("X-Accel-Expires") == "80")
    }

    @Test("Without a provider that keeps answers there are no windows, and what is private is not for nginx")
    func noWindows() throws {
        let control = CacheControl(scope: .private, maxAge: .milliseconds(2500))
        let head = try control.head(for: Self.answer(nil), age: 100)
        #expect(head.fields.map(\.name) == ["Cache-Control"])
        #expect(head.first("Cache-Control") == "private, max-age=102")
    }

    @Test("A max_age of nothing has every cache ask each time, and one without end is as long as caches count")
    func extremes() throws {
        let none = try head(CacheControl(scope: .public, maxAge: .zero), age: 7)
        #expect(none.first("Cache-Control")?.hasPrefix("public, max-age=7, ") == true)
        #expect(none.first("X-Accel-Expires") == "0")
        let endless = CacheControl(scope: .public, maxAge: .seconds(Int64.max))
        #expect(try endless.head(for: Self.answer(nil), age: 1).first("X-Accel-Expires") == "2147483647")
    }
}
