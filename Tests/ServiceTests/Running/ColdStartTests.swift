import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Starting with the upstream off", .timeLimit(.minutes(1)))
struct ColdStartTests {
    @Test("With nothing ever fetched: 503 that says when to come back, alive, not ready; then it heals by itself")
    func nothingStored() async throws {
        let port = try FreePort.pick()
        try await Stand.with {
            $0.upstream = "127.0.0.1:\(port)"
        } _: { stand in
            let response = try await stand.get("/products")
            #expect(response.status == 503)
            #expect(response.headers["Content-Type"] == "application/problem+json")
            #expect(response.json?["detail"] == "no catalogue can be served at the moment")
            let wait = try #require(response.headers["Retry-After"].flatMap { Int($0) })
            #expect((1...30).contains(wait))
            #expect(try await stand.get("/livez").status == 200)
            let readiness = try await stand.get("/readyz")
            #expect(readiness.status == 503)
            #expect(readiness.text.hasPrefix("no catalogue to serve: "))
            let verbose = try await stand.get("/readyz?verbose").text
            #expect(verbose.hasPrefix("[-]catalogue failed: "))
            #expect(verbose.hasSuffix("[+]drain ok\nreadyz check failed\n"))
            #expect(stand.log.count(of: "error: upstream fails, nothing to serve") == 1)

            let shop = try await Shop(listeningOn: port)
            await stand.log.wait(for: "notice: upstream recovered")
            try await eventually { try await stand.get("/readyz").status == 200 }
            #expect(try await stand.get("/products").json?["total"] == 100)
            await shop.close()
        }
    }

    @Test("With an earlier run's catalogue on disk: 200 from the store, as old as it is")
    func stored() async throws {
        try await Stand.with { stand in
            let good = try await stand.get("/products")
            try await stand.stop()
            stand.clock.advance(by: .seconds(1000))
            let port = try FreePort.pick()
            try await stand.restart { $0.upstream = "127.0.0.1:\(port)" }
            let answer = try await stand.get("/products")
            #expect(answer.status == 200)
            #expect(answer.body == good.body)
            #expect(answer.headers["ETag"] == good.headers["ETag"])
            #expect(answer.headers["Age"] == "1000")
            let statuses = [
                "larder; fwd=uri-miss; detail=stale-if-error", "larder; hit; ttl=-990; detail=offline",
            ]
            #expect(statuses.contains(answer.headers["Cache-Status"] ?? "none"))
            #expect(try await stand.get("/readyz").status == 200)
            #expect(try await stand.get("/readyz?verbose").text.contains("from store, upstream failing for "))
        }
    }

    @Test("A stored catalogue is served for stale_if_error and not a second longer")
    func storedTooOld() async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            try await stand.stop()
            stand.clock.advance(by: .seconds(3611))
            let port = try FreePort.pick()
            try await stand.restart { $0.upstream = "127.0.0.1:\(port)" }
            #expect(try await stand.get("/products").status == 503)
            #expect(try await stand.get("/readyz").status == 503)
        }
    }

    @Test("An upstream whose name means nothing is a bad day like any other")
    func unknownName() async throws {
        try await Stand.with { stand in
            let good = try await stand.get("/products")
            try await stand.restart {
                $0.upstream = "shop.invalid:80"
                $0.isMonitored = false
            }
            let answer = try await stand.get("/products")
            #expect(answer.status == 200)
            #expect(answer.body == good.body)
        }
    }
}
