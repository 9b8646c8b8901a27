import FileSystem
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReloadTests {
    private static let refusal = "error: reload refused, the old config stays"

    @Test func `settings beside the graph are in force for the next request`() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            #expect(before.headers["Cache-Control"]?.contains("max-age=5,") == true)
            let popular = before.text.count(of: #""isPopular":true"#)
            #expect((1..<100).contains(popular))
            try await stand.reload {
                $0.sections = "popular: { sales_over: 1000000 }"
                $0.http += ", cache_control: { max_age: 7s, scope: private }, access_log: all"
                $0.http += ", cors: { allow_origins: [\"*\"] }, pagination: { max_limit: 40 }, locales: [de]"
            }
            let after = try await stand.get("/products")
            let german = try await stand.get("/products", ["Accept-Language": "de"])
            #expect(german.headers["Content-Language"] == "de")
            #expect(after.headers["Cache-Control"]?.hasPrefix("private, max-age=7,") == true)
            #expect(after.headers["Access-Control-Allow-Origin"] == "*")
            #expect(try await stand.get("/products?limit=41").status == 400)
            #expect(after.headers["ETag"] != before.headers["ETag"])
            #expect(after.text.count(of: #""isPopular":true"#) == 0)
            #expect(after.text.count(of: #""isPopular":false"#) == 100)
            await stand.log.wait(for: "info: request")
            #expect(try await stand.get("/readyz").status == 200)
        }
    }

    @Test func `with equal rules the response is the same to the byte`() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            try await stand.reload { $0.holdOff = "60ms" }
            let after = try await stand.get("/products")
            #expect(after.body == before.body)
            for name in ["ETag", "Last-Modified", "Cache-Control", "Cache-Status"] {
                #expect(after.headers[name] == before.headers[name])
            }
        }
    }

    @Test func `memory is carried over, so nothing is asked or missing with the upstream down`() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            let requests = try await stand.shop.requests()
            try await stand.shop.fail("down")
            for ttl in ["9s", "11s", "10s"] {
                try await stand.reload { $0.ttl = ttl }
                let after = try await stand.get("/products")
                #expect(after.headers.cacheStatus == "larder; hit; ttl=\(ttl.dropLast())")
                #expect(after.body == before.body)
                #expect(try await stand.get("/readyz").status == 200)
            }
            #expect(try await stand.shop.requests() == requests)
        }
    }

    @Test func `a changed upstream is asked at once, however fresh the catalogue is`() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            let requests = try await stand.shop.requests()
            try await stand.reload { $0.maxBody = "2MiB" }
            #expect(try await stand.get("/products").body == before.body)
            try await eventually { try await stand.shop.requests() == requests + 1 }
        }
    }

    @Test func `a config with warnings is in force, and they are logged`() async throws {
        try await Stand.with { stand in
            let unused = "  local: { type: analytics"
            let yaml = stand.settings.yaml.replacing(
                unused, with: "  nobody: { type: stored, store: disk }\n\(unused)")
            try await stand.reload(yaml, until: "notice: reloaded")
            let problems = stand.log.metadata(of: "warning: config").compactMap { $0["problem"] }
            #expect(problems.count == 1)
            #expect(problems.first?.contains("\"nobody\"") == true)
        }
    }

    @Test func `settings that need a restart are logged at each reload until taken back`() async throws {
        try await Stand.with { stand in
            let warning = "warning: some settings take effect after a restart only"
            try await stand.reload {
                $0.http = "listen: 127.0.0.1:1, limits: { idle_timeout: 59s }"
                $0.sections = "popular: { sales_over: 7 }"
            }
            #expect(
                stand.log.metadata(of: warning).map { $0["settings"] } == [
                    #"["http.listen", "http.limits.idle_timeout"]"#
                ])
            try await stand.reload()
            #expect(stand.log.count(of: warning) == 2)
            try await stand.reload { $0.http = "listen: 127.0.0.1:0" }
            #expect(stand.log.count(of: warning) == 2)
        }
    }

    @Test func `a graph without a catalogue does not replace one that has one`() async throws {
        let port = try FreePort.pick()
        try await Stand.with {
            $0.isMonitored = false
        } _: { stand in
            let before = try await stand.warm()
            let other = stand.settings.yaml.replacing("storefront", with: "showcase")
                .replacing(stand.shop.address, with: "127.0.0.1:\(port)")
                .replacing("/store", with: "/elsewhere")
            try await stand.reload(other, until: Self.refusal)
            #expect(stand.log.metadata(of: Self.refusal).first?["error"]?.contains("first answer is a failure") == true)
            #expect(try await stand.metrics().value("larder_config_last_reload_successful") == 0)
            #expect(try await stand.get("/products").body == before.body)
            #expect(try await stand.get("/readyz").status == 200)
            let requests = try await stand.shop.requests()
            stand.clock.advance(by: .seconds(31))
            try await eventually { try await stand.get("/products").headers.catalogueAge == "0" }
            #expect(try await stand.shop.requests() == requests + 1)
        }
    }

    @Test func `a memory that may not serve under stricter rules is refused`() async throws {
        try await Stand.with {
            $0.isMonitored = false
            $0.holdOff = "1ms"
        } _: { stand in
            _ = try await stand.warm()
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(600))
            _ = try await stand.get("/products")
            var stricter = stand.settings
            (stricter.staleIfError, stricter.staleWhileRevalidate) = ("1m", "1m")
            try await stand.reload(stricter.yaml, until: Self.refusal)
            #expect(try await stand.get("/products").status == 200)
            #expect(try await stand.get("/readyz").status == 200)
            try await stand.shop.fail("none")
            try await eventually { try await stand.get("/products").headers.catalogueAge == "0" }
        }
    }

    @Test func `with nothing to serve any good config takes over`() async throws {
        let port = try FreePort.pick()
        try await Stand.with {
            $0.upstream = "127.0.0.1:\(port)"
        } _: { stand in
            #expect(try await stand.get("/products").status == 503)
            try await stand.reload { $0.path = "/wrong" }
            #expect(try await stand.get("/products").status == 503)
            let address = stand.shop.address
            try await stand.reload {
                $0.upstream = address
                $0.path = "/products"
            }
            #expect(try await stand.get("/products").status == 200)
            #expect(try await stand.get("/readyz").status == 200)
        }
    }

    @Test func `a removed sink writes the rest and closes, an unchanged one goes on`() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            try await stand.reload { $0.ttl = "11s" }
            stand.clock.advance(by: .seconds(35))
            try await eventually { try await stand.get("/products").headers.catalogueAge == "0" }
            try await stand.reload { $0.events = "others.jsonl" }
            try await eventually { try stand.events().count == 2 }
            // What has changed below a memory is asked again behind the first answer.
            _ = try await stand.get("/products")
            try await eventually { (try? stand.events(in: "others.jsonl").count) == 1 }
            try await stand.stop()
            #expect(try stand.events() == ["products_network_hit", "products_network_hit"])
            #expect(try stand.events(in: "others.jsonl") == ["products_network_hit"])
        }
    }
}

extension String {
    fileprivate func count(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
