import FileSystem
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ColdStartTests {
    @Test func `without any catalogue it answers 503 until the upstream comes`() async throws {
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

    @Test func `a stored catalogue is served with its true age until stale_if_error ends`() async throws {
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
            #expect(answer.headers.catalogueAge == "1000")
            let statuses = [
                "larder; fwd=uri-miss; detail=stale-if-error", "larder; hit; ttl=-990; detail=offline",
            ]
            #expect(statuses.contains(answer.headers.cacheStatus ?? "none"))
            #expect(try await stand.get("/readyz").status == 200)
            #expect(try await stand.get("/readyz?verbose").text.contains("from store, upstream offline, since "))
            try await stand.stop()
            stand.clock.advance(by: .seconds(2611))
            try await stand.restart()
            #expect(try await stand.get("/products").status == 503)
            #expect(try await stand.get("/readyz").status == 503)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct OverlayRestartTests {
    /// The sixth product as it is served: its stock, and the members that are marked.
    private static func stock(_ stand: Stand) async throws -> String {
        let product = try #require(try await stand.get("/products/p-6").json)
        let marks = product["staleMembers"]?.array?.compactMap(\.string).joined(separator: ",")
        return "\(product["stock"] ?? "none") \(marks ?? "unmarked")"
    }

    @Test(arguments: [("serve", "25 unmarked"), ("mark", "25 stock"), ("hide", "\"none\" unmarked")])
    func `after a restart with their source away, entries are those from before, and stale`(
        whenStale: String, expected: String
    ) async throws {
        let feed = try await ScriptedShop()
        feed.serve(#"[{"id":"p-6","stock":25}]"#)
        try await Stand.with {
            $0.serve = """
                { type: overlay, members: [stock], when_stale: \(whenStale), upstream: storefront,
                  store: { type: json_file, directory: "\($0.data)/entries" }, overlay:
                  { type: http, request: { base_url: "http://127.0.0.1:\(feed.port)" }, timeout: 20s, decode:
                    { type: physical, constants: { name: "" }, fields:
                      { price.amount: { path: price.amount, default: 0 },
                        price.currency: { path: price.currency, default: XXX } } } } }
                """
        } _: { stand in
            try await eventually { try await Self.stock(stand) == "25 unmarked" }
            await feed.close()
            try await stand.restart()
            #expect(try await Self.stock(stand) == expected)
            #expect(stand.log.count(of: "error: upstream fails, nothing to serve") == 0)
            #expect(try await stand.get("/history", admin: true).json?["store"] == "disk")
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct DataDirectoryTests {
    @Test func `an unusable data directory is one line for saves, one for reads and one for the events`() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("file"), [])
        try await Stand.with {
            $0.data = directory("file/data")
        } _: { stand in
            for _ in 0..<4 {
                let response = try await stand.get("/products")
                #expect(response.status == 200)
                #expect(response.headers.catalogueAge == "0")
                stand.clock.advance(by: .seconds(40))
            }
            await stand.log.wait(for: "warning: products are served but cannot be saved")
            let failures = try #require(try await stand.metrics()["larder_store_failures_total"])
            #expect(failures.values(of: "store") == ["disk"])
            #expect(failures.samples.contains { $0.value > 0 })
            let good = try await stand.warm()
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(40))
            let answer = try await stand.get("/products")
            #expect(answer.status == 200)
            #expect(answer.body == good.body)
            #expect(answer.headers.catalogueAge == "40")
            try await stand.stop()
            #expect(stand.log.count(of: "warning: products are served but cannot be saved") == 1)
            #expect(stand.log.count(of: "warning: analytics sink fails, events are dropped") == 1)
            #expect(stand.log.seen.filter { $0.hasPrefix("error") } == ["error: the store cannot be read"])
        }
    }
}
