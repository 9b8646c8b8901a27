import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BadDaysTests {
    private static let offline = "warning: upstream fails, serving the last good catalogue"
    private static let stale = "warning: upstream fails, the last good catalogue is stale"
    private static let recovered = "notice: upstream recovered"

    @Test(arguments: BadDay.all)
    func `the last good catalogue is served stale, and the upstream is left alone`(day: BadDay) async throws {
        try await Stand.with {
            if day.isSlow { $0.timeout = "900ms" }
        } _: { stand in
            let good = try await stand.warm()
            let before = stand.log.count(of: Self.stale)
            let stored = try await stand.stored()
            let requests = try await stand.shop.requests()
            try await stand.shop.fail(day.mode)
            stand.clock.advance(by: .seconds(40))
            let start = ContinuousClock.now

            let first = try await stand.get("/products")
            #expect(first.status == 200)
            #expect(first.body == good.body)
            #expect(first.headers["ETag"] == good.headers["ETag"])
            #expect(first.headers.catalogueAge == "40")
            #expect(first.headers.cacheStatus == day.cacheStatus)

            for second in 41...60 {
                stand.clock.advance(by: .seconds(1))
                let response = try await stand.get("/products")
                #expect(response.status == 200)
                #expect(response.body == good.body)
                #expect(response.headers.catalogueAge == "\(second)")
                #expect(response.headers.cacheStatus == "larder; hit; ttl=\(10 - second); detail=offline")
                #expect(response.headers["Cache-Control"]?.hasPrefix("public, max-age=5, ") == true)
                #expect(try await stand.get("/products/p-7").status == 200)
            }
            let asked = try await stand.shop.requests() - requests
            let most = most(in: .now - start, holdOff: .milliseconds(50)) + day.repeatsOfTheFirstTry
            #expect((1...most).contains(asked))
            #expect(try await stand.stored() == stored)
            #expect(stand.log.count(of: Self.stale) == before + 1)
            #expect(stand.log.count(of: Self.recovered) == before)

            try await stand.shop.fail("none")
            try await eventually { try await stand.get("/products").headers.catalogueAge == "0" }
            await stand.log.wait(for: Self.recovered, count: before + 1)
            let healed = try await stand.get("/products")
            #expect(healed.headers.cacheStatus == "larder; hit; ttl=10")
            #expect(healed.body == good.body)
            try await stand.stop()
            #expect(stand.log.count(of: Self.stale) == before + 1)
            #expect(stand.log.count(of: Self.recovered) == before + 1)
        }
    }

    @Test(arguments: ["down", "status=503", "empty"])
    func `within stale-while-revalidate only the log and Cache-Status tell of the outage`(mode: String) async throws {
        try await Stand.with { stand in
            let good = try await stand.get("/products")
            try await stand.shop.fail(mode)
            stand.clock.advance(by: .seconds(15))
            #expect(try await stand.get("/products").headers.cacheStatus == "larder; hit; ttl=-5")
            await stand.log.wait(for: Self.offline)
            let offline = try await stand.get("/products")
            #expect(offline.headers.cacheStatus == "larder; hit; ttl=-5; detail=offline")
            #expect(offline.body == good.body)
        }
    }

    @Test func `network and store hits are counted exactly, and all are written at a stop`() async throws {
        try await Stand.with {
            $0.holdOff = "30s"
            $0.isMonitored = false
        } _: { stand in
            for _ in 0..<3 {
                for _ in 0..<5 { _ = try await stand.get("/products") }
                stand.clock.advance(by: .seconds(40))
            }
            try await stand.shop.fail("status=500")
            for _ in 0..<5 { _ = try await stand.get("/products") }
            try await stand.restart()
            for _ in 0..<5 { _ = try await stand.get("/products") }
            try await stand.stop()
            let network = Array(repeating: "products_network_hit", count: 3)
            #expect(try stand.events() == network + ["products_cache_hit", "products_cache_hit"])
            #expect(try await stand.shop.requests() == 5)
        }
    }

    /// The greatest number of tries in a span of time with a pause that doubles from `holdOff`.
    private func most(in span: Duration, holdOff: Duration) -> Int {
        var (tries, next, pause) = (1, holdOff, holdOff)
        while next <= span {
            pause = pause * 2
            next += pause
            tries += 1
        }
        return tries
    }
}

/// A way for the upstream to fail, and what becomes visible of it.
struct BadDay: Sendable, CustomTestStringConvertible {
    let mode: String
    /// The upstream's status in the answer that waited for the failing refresh.
    let status: Int?

    var testDescription: String { mode }

    /// Takes a timeout to notice.
    var isSlow: Bool { ["hang", "slow"].contains(mode) }

    /// A kept connection that breaks may have been closed before the request came, so libcurl asks once more on a new
    /// one.
    var repeatsOfTheFirstTry: Int { ["down", "reset"].contains(mode) ? 1 : 0 }

    static let all =
        ["down", "reset", "hang", "slow", "truncate", "html", "empty", "shrink"].map { BadDay(mode: $0, status: nil) }
        + ([404, 429, 500, 503] as [Int]).map { BadDay(mode: "status=\($0)", status: $0) }

    var cacheStatus: String {
        "larder; fwd=stale" + (status.map { "; fwd-status=\($0)" } ?? "") + "; detail=stale-if-error"
    }
}
