import FileSystem
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Reloading", .timeLimit(.minutes(1)))
struct ReloadTests {
    private static let refusal = "error: reload refused, the old config stays"

    @Test("What the config says beside the graph is in force for the next request")
    func rules() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            #expect(before.headers["Cache-Control"]?.contains("max-age=5,") == true)
            let popular = before.text.count(of: #""isPopular":true"#)
            #expect((1..<100).contains(popular))
            try await stand.reload {
                $0.sections = "popular: { sales_over: 1000000 }"
                $0.http = "listen: 127.0.0.1:0, cache_control: { max_age: 7s, scope: private }, access_log: all"
            }
            let after = try await stand.get("/products")
            #expect(after.headers["Cache-Control"]?.hasPrefix("private, max-age=7,") == true)
            #expect(after.headers["ETag"] != before.headers["ETag"])
            #expect(after.text.count(of: #""isPopular":true"#) == 0)
            #expect(after.text.count(of: #""isPopular":false"#) == 100)
            await stand.log.wait(for: "info: request")
            #expect(try await stand.get("/readyz").status == 200)
        }
    }

    @Test("With the same rules an answer is the same to the byte, its head included")
    func sameRules() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            try await stand.reload { $0.holdOff = "60ms" }
            let after = try await stand.get("/products")
            #expect(after.body == before.body)
            for name in ["ETag", "Last-Modified", "Cache-Control", "Cache-Status", "Age"] {
                #expect(after.headers[name] == before.headers[name])
            }
        }
    }

    @Test("What memory holds is carried over, so that nothing is asked and nothing is missing with the upstream down")
    func memory() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            let requests = try await stand.shop.requests()
            try await stand.shop.fail("down")
            for ttl in ["9s", "11s", "10s"] {
                try await stand.reload { $0.ttl = ttl }
                let after = try await stand.get("/products")
                #expect(after.headers["Cache-Status"] == "larder; hit; ttl=\(ttl.dropLast())")
                #expect(after.body == before.body)
                #expect(try await stand.get("/readyz").status == 200)
            }
            #expect(try await stand.shop.requests() == requests)
        }
    }

    @Test("What is asked in another way is asked at once, however fresh the catalogue is")
    func otherUpstream() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            let requests = try await stand.shop.requests()
            try await stand.reload { $0.maxBody = "2MiB" }
            #expect(try await stand.get("/products").body == before.body)
            try await eventually { try await stand.shop.requests() == requests + 1 }
        }
    }

    @Test("A bad config changes nothing, and the log has every problem with its place")
    func bad() async throws {
        try await Stand.with { stand in
            let before = try await stand.warm()
            let bad = stand.settings.yaml.replacing("type: memory", with: "type: memori")
                .replacing("keep: 3", with: "keep: 0")
            try await stand.reload(bad, until: Self.refusal)
            #expect(stand.log.count(of: "error: config") == 2)
            let problems = stand.log.metadata(of: "error: config").compactMap { $0["problem"] }
            #expect(problems.allSatisfy { $0.prefixMatch(of: #/test.yaml:\d+:\d+: error: /#) != nil })
            #expect(problems.contains { $0.contains("did you mean \"memory\"?") })
            #expect(try await stand.get("/products").body == before.body)
            #expect(try await stand.get("/readyz").status == 200)
            try await stand.reload()
            #expect(stand.log.count(of: "notice: reloaded") == 1)
        }
    }

    @Test("A config that is allowed but looks wrong is in force, and the log says what looks wrong")
    func warnings() async throws {
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

    @Test("What takes a restart is said in one line, at each reload until it is done or taken back")
    func restart() async throws {
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

    @Test("A graph that has nothing to serve does not take over from one that has; that one goes on as it was")
    func nothingToServe() async throws {
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
            #expect(try await stand.get("/products").body == before.body)
            #expect(try await stand.get("/readyz").status == 200)
            let requests = try await stand.shop.requests()
            stand.clock.advance(by: .seconds(31))
            try await eventually { try await stand.get("/products").headers["Age"] == "0" }
            #expect(try await stand.shop.requests() == requests + 1)
        }
    }

    @Test("The same memory under rules by which it may not serve is refused too, and goes on under the old ones")
    func stricterRules() async throws {
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
            try await eventually { try await stand.get("/products").headers["Age"] == "0" }
        }
    }

    @Test("When there is nothing to serve anyway, any good config takes over, and heals the service")
    func heals() async throws {
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

    @Test("A sink that is gone writes what it has and is closed; an unchanged one goes on in its file")
    func sinks() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            try await stand.reload { $0.ttl = "11s" }
            stand.clock.advance(by: .seconds(35))
            try await eventually { try await stand.get("/products").headers["Age"] == "0" }
            try await stand.reload { $0.events = "others.jsonl" }
            try await eventually { try stand.events().count == 2 }
            stand.clock.advance(by: .seconds(35))
            try await eventually { try await stand.get("/products").headers["Age"] == "0" }
            try await stand.stop()
            #expect(try stand.events() == ["products_network_hit", "products_network_hit"])
            #expect(try stand.events(in: "others.jsonl") == ["products_network_hit"])
        }
    }

    @Test("A wish to reload that comes while the service stops harms nothing")
    func whileStopping() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            for _ in 0..<10 { try stand.ask(toReload: stand.settings.yaml) }
            try await stand.stop()
            #expect(stand.log.lines.last == "notice: stopped")
        }
    }
}

extension String {
    fileprivate func count(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
