import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Bad days", .timeLimit(.minutes(1)))
struct BadDaysTests {
    private static let offline = "warning: upstream fails, serving the last good catalogue"
    private static let stale = "warning: upstream fails, the last good catalogue is stale"
    private static let recovered = "notice: upstream recovered"

    @Test(
        "The last good catalogue is served through it, visibly stale, and the upstream is left alone",
        arguments: BadDay.all)
    func through(day: BadDay) async throws {
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
            #expect(first.headers["Age"] == "40")
            #expect(first.headers["Cache-Status"] == day.cacheStatus)

            for second in 41...60 {
                stand.clock.advance(by: .seconds(1))
                let response = try await stand.get("/products")
                #expect(response.status == 200)
                #expect(response.body == good.body)
                #expect(response.headers["Age"] == "\(second)")
                #expect(response.headers["Cache-Status"] == "larder; hit; ttl=\(10 - second); detail=offline")
                #expect(response.headers["Cache-Control"]?.hasPrefix("public, max-age=\(second + 5), ") == true)
                #expect(try await stand.get("/products/p-7").status == 200)
            }
            let asked = try await stand.shop.requests() - requests
            let most = most(in: .now - start, holdOff: .milliseconds(50)) + day.repeatsOfTheFirstTry
            #expect((1...most).contains(asked))
            #expect(try await stand.stored() == stored)
            #expect(stand.log.count(of: Self.stale) == before + 1)
            #expect(stand.log.count(of: Self.recovered) == before)

            try await stand.shop.fail("none")
            try await eventually { try await stand.get("/products").headers["Age"] == "0" }
            await stand.log.wait(for: Self.recovered, count: before + 1)
            let healed = try await stand.get("/products")
            #expect(healed.headers["Cache-Status"] == "larder; hit; ttl=10")
            #expect(healed.body == good.body)
            try await stand.stop()
            #expect(stand.log.count(of: Self.stale) == before + 1)
            #expect(stand.log.count(of: Self.recovered) == before + 1)
        }
    }

    @Test(
        "Within stale-while-revalidate nobody notices but the log and the status",
        arguments: ["down", "status=503", "empty"])
    func behindTheAnswer(mode: String) async throws {
        try await Stand.with { stand in
            let good = try await stand.get("/products")
            try await stand.shop.fail(mode)
            stand.clock.advance(by: .seconds(15))
            #expect(try await stand.get("/products").headers["Cache-Status"] == "larder; hit; ttl=-5")
            await stand.log.wait(for: Self.offline)
            let offline = try await stand.get("/products")
            #expect(offline.headers["Cache-Status"] == "larder; hit; ttl=-5; detail=offline")
            #expect(offline.body == good.body)
        }
    }

    @Test("With the hold-off running, a dead upstream is not asked whatever the load", arguments: BadDay.quick)
    func holdOff(day: BadDay) async throws {
        try await Stand.with {
            $0.holdOff = "30s"
        } _: { stand in
            _ = try await stand.get("/products")
            let requests = try await stand.shop.requests()
            try await stand.shop.fail(day.mode)
            stand.clock.advance(by: .seconds(40))
            for _ in 0..<100 { #expect(try await stand.get("/products").status == 200) }
            let asked = try await stand.shop.requests() - requests
            #expect((1...1 + day.repeatsOfTheFirstTry).contains(asked))
        }
    }

    /// How many tries a pause that doubles from `holdOff` allows in a span of time.
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
