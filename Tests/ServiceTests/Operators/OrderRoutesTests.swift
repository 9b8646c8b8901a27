import FoundationEssentials
import JSON
import ServingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OrderRoutesTests {
    @Test func `a refresh says what changed, past ttl, and with force past a pause`() async throws {
        try await OrderedService.with { service in
            try service.shelf.publish(["Mug", "Cup"])
            let first = try await service.order("/refresh?reason=new+prices", "X-Request-Id: call-7\r\n")
            #expect(first.status == 200)
            #expect(first["Cache-Control"] == "no-store")
            #expect(first["Content-Type"] == "application/json")
            #expect(first.json["outcome"] == "fetched")
            #expect(first.json["added"] == 1 && first.json["changed"] == 1 && first.json["removed"] == 0)
            try service.shelf.publish(["Jar", "Cup", "Jug"])
            let second = try await service.order("/refresh?node=top").json
            #expect(second["added"] == 1 && second["removed"] == 0 && second["changed"] == 1)
            #expect(second["before"] == first.json["revision"])
            let results = try #require(second["results"]?.array)
            #expect(results.map { $0.object?["node"] } == ["top"])
            let repeated = try await service.order("/refresh").json
            #expect(repeated["outcome"] == "unchanged")

            try service.shelf.publish(nil)
            let failed = try await service.order("/refresh")
            #expect(failed.status == 502 && failed["Content-Type"] == "application/problem+json")
            #expect(failed.json["status"] == 502 && failed.json["detail"]?.string?.contains("503") == true)
            #expect(failed.json["outcome"] == "failed")
            #expect(failed.json["failure"]?.object?["reason"] == "status-503")
            try service.shelf.publish(["Jar"])
            let paused = try await service.order("/refresh")
            #expect(paused.status == 503 && paused["Retry-After"] != nil)
            #expect(paused.json["failure"]?.object?["reason"] == "unavailable")
            let forced = try await service.order("/refresh?force=1").json
            #expect(forced["removed"] == 2)
            #expect(try await service.served() == "Jar")

            let line = "notice: operator's order"
            #expect(service.log.count(of: line) == 6)
            let used = try #require(service.log.metadata(of: line).first)
            #expect(used["order"] == "/refresh" && used["reason"] == "new prices" && used["request_id"] == "call-7")
            #expect(used["remote"] == "127.0.0.1")
        }
    }

    @Test func `a refresh that nobody waits for is accepted, and goes on`() async throws {
        try await OrderedService.with { service in
            try service.shelf.publish(["Mug"])
            let accepted = try await service.order("/refresh", "Prefer: respond-async, wait=1\r\n")
            #expect(accepted.status == 202)
            #expect(accepted["Preference-Applied"] == "respond-async")
            try await eventually { service.shelf.asked == 1 }
            #expect(try await service.order("/refresh?node=x", "Prefer: respond-async\r\n").status == 404)
        }
    }

    @Test func `a pin is served at once and says so, refreshes go on, and unpin shows what it would change`()
        async throws
    {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            #expect(try await service.served() == "Mug")
            try await service.put(["Mugg", "Cup"])
            #expect(try await service.served() == "Mugg")

            let pin = try await service.order("/pin?generation=1&reason=typo", "X-Request-Id: call-8\r\n")
            #expect(pin.status == 200)
            #expect(pin.json["store"] == "shelf" && pin.json["generation"] == 1 && pin.json["reason"] == "typo")
            #expect(pin.json["by"] == "call-8 from 127.0.0.1" && pin.json["inForce"] == true)
            #expect(try await service.served() == "Mug detail=pinned")
            #expect(try await service.served() == "Mug detail=pinned")
            try service.shelf.publish(["Mugg", "Cup", "Jar"])
            let underPin = try await service.order("/refresh").json
            #expect(underPin["pinned"] == true)
            #expect(try await service.served() == "Mug detail=pinned")

            let ready = try await service.order("/readyz?verbose", method: "GET")
            #expect(ready.status == 200)
            #expect(ready.text.contains("pin warn: shelf: generation 1 since 2027-01-15T08:00:00Z by call-8 from"))
            let operators = try #require(try await service.show("/graph")["operators"]?.object)
            #expect(operators["pins"]?.array?.first?.object?["reason"] == "typo")
            let page = try await service.order("/graph.html", method: "GET").text
            #expect(page.contains("store shelf pinned: generation 1"))
            let metrics = try await service.order("/metrics", method: "GET").text
            #expect(metrics.contains("larder_pinned{store=\"shelf\"} 1"))
            #expect(metrics.contains("larder_pinned_since_timestamp_seconds{store=\"shelf\"} 1800000000"))
            let health = try await service.order("/healthz", "Accept: application/health+json\r\n", method: "GET").json
            #expect(health["status"] == "warn")
            let known = health["checks"]?.object?["pin"]?.array?.first?.object?["output"]?.string
            #expect(known?.hasPrefix("shelf: generation 1 since 2027-01-15T08:00:00Z by call-8 from") == true)

            let shown = try await service.order("/unpin").json
            #expect(shown["confirmed"] == false)
            #expect(shown["difference"]?.object?["added"]?.array?.count == 2)
            let afterwards = try #require(shown["afterwards"]?.string)
            #expect(afterwards.hasPrefix("the catalogue of the last refresh is served at once"))
            let asked = service.shelf.asked
            #expect(try await service.served() == "Mug detail=pinned")
            let confirmed = try await service.order("/unpin?confirm=1").json
            #expect(confirmed["confirmed"] == true && confirmed["inForce"] == true)
            let served = try #require(confirmed["served"]?.array?.first?.object)
            #expect(served["node"] == "top" && served["pinned"] == false && served["failure"] == .null)
            #expect(try await service.served() == "Mugg" && service.shelf.asked == asked)
            let unpinned = try await service.show("/graph")
            #expect(unpinned["operators"] == nil)
        }
    }

    @Test func `a pin is taken off although nothing compares with it, and while the upstream fails`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            try await service.put(["Mugg"])
            #expect(try await service.order("/pin?generation=1").status == 200)
            service.shelf.thin(1)
            let shown = try await service.order("/unpin")
            #expect(shown.status == 200)
            #expect(shown.json["pin"]?.object?["generation"] == 1 && shown.json["difference"] == .null)
            try service.shelf.publish(nil)
            _ = try await service.order("/refresh?force=1")
            #expect(try await service.order("/unpin?confirm=1").json["inForce"] == true)
            #expect(try await service.served().hasPrefix("Mugg"))
        }
    }

    @Test func `history and differences tell generations apart, prices first`() async throws {
        try await OrderedService.with { service in
            for (names, sales) in [(["Mug"], 0), (["Mug", "Cup"], 0), (["Mug", "Cup"], 7)] {
                try service.shelf.publish(names, sales: sales)
                _ = try await service.order("/refresh")
            }
            let history = try await service.show("/history")
            let generations = try #require(history["generations"]?.array).compactMap(\.object)
            #expect(generations.map { $0["generation"] } == [3, 2, 1])
            #expect(generations.map { $0["changed"] } == [2, 0, .null])
            #expect(generations.map { $0["added"] } == [0, 1, .null])
            #expect(history["pin"] == .null)

            let difference = try await service.show("/diff?from=1&to=newest")
            #expect(difference["added"]?.array == ["2"])
            let changed = try #require(difference["changed"]?.array?.first?.object)
            #expect(changed["id"] == "1")
            let member = try #require(changed["members"]?.array?.first?.object)
            #expect(member["member"] == "sales" && member["from"] == 0 && member["to"] == 7)
            #expect(difference["priceChanges"] == 0 && difference["truncated"] == false)
            let revision = try #require(generations[1]["revision"]?.string?.prefix(8))
            let one = try await service.show("/diff?from=\(revision)&to=current&id=2")
            #expect(one["from"]?.object?["generation"] == 2 && one["to"]?.object?["generation"] == 3)
            #expect(one["changed"]?.array?.count == 1)
        }
    }

    @Test func `a refused catalogue is shown with its difference, and let through once`() async throws {
        try await OrderedService.with { service in
            #expect(try await service.order("/quarantine/accept").status == 404)
            try await service.put(["Mug"])
            #expect(try await service.served() == "Mug")
            try service.shelf.quarantine(["Mug", "Cup"])
            let shown = try #require(try await service.show("/quarantine")["quarantined"]?.array?.first?.object)
            #expect(shown["node"] == "gate" && shown["failure"]?.object?["reason"] == "empty")
            #expect(shown["difference"]?.object?["added"]?.array == ["2"])
            let metrics = try await service.order("/metrics", method: "GET").text
            #expect(metrics.contains("larder_quarantined{provider=\"gate\"} 1"))
            #expect(try await service.order("/quarantine/accept?revision=0000").status == 404)
            let accepted = try await service.order("/quarantine/accept?node=gate&reason=sale").json
            #expect(accepted["node"] == "gate" && accepted["outcome"] == "fetched" && accepted["added"] == 1)
            let emptied = try await service.show("/quarantine")
            #expect(emptied["quarantined"] == .array([]))
        }
    }

    @Test(arguments: [
        ("/refresh?node=nowhere", 404), ("/refresh?nodes=top", 400), ("/refresh?force=yes", 400),
        ("/refresh?reason=%0A", 400), ("/refresh?reason=%E2%80%AE", 400), ("/refresh?reason=%C2%85", 400),
        ("/refresh?reason=%E2%81%A6", 400), ("/pin", 400), ("/pin?generation=x", 400), ("/pin?revision=zzzz", 400),
        ("/pin?generation=1&revision=abcd", 400), ("/pin?generation=9", 404), ("/pin?generation=1&store=x", 404),
        ("/unpin?store=x", 404), ("/quarantine/accept?node=top", 404),
    ])
    func `orders that name nothing are refused`(target: String, status: Int) async throws {
        try await OrderedService.with { service in
            try service.shelf.publish(["Mug"])
            _ = try await service.served()
            let refused = try await service.order(target)
            #expect(refused.status == status)
            #expect(refused["Content-Type"] == "application/problem+json")
        }
    }

    @Test func `without a store there is nothing to pin`() async throws {
        try await OrderedService.with(isStore: false) { service in
            for target in ["/pin?generation=1", "/unpin", "/unpin?confirm=1"] {
                #expect(try await service.order(target).status == 409)
            }
            let listed = try await service.order("/history", method: "GET")
            #expect(listed.status == 409)
            let shown = try await service.order("/refresh", method: "GET")
            #expect(shown.status == 405)
        }
    }

    @Test func `the port for operators is asked by its own names, and by any for a probe`() async throws {
        try await OrderedService.with(admin: ", allow_hosts: [larder.shop.example, .ops.example]") { service in
            for (host, status) in [
                ("evil.example", 421), ("ops.example.evil.example", 421), ("larder.shop.example.", 200),
                ("a.ops.example:81", 200), ("ops.example", 200), ("localhost", 200), ("127.0.0.1:1", 200),
            ] {
                let page = try await service.order("/graph", method: "GET", host: host)
                #expect(page.status == status, "\(host)")
            }
            let order = try await service.order("/refresh", host: "evil.example")
            #expect(order.status == 421)
            let probe = try await service.order("/livez", method: "GET", host: "evil.example")
            #expect(probe.status == 200)
        }
    }

    @Test func `a port that other machines reach takes no order without a token`() async throws {
        try await OrderedService.with(address: "0.0.0.0") { service in
            let refused = try await service.order("/refresh")
            #expect(refused.status == 403 && refused.text.contains("admin.token_file"))
            let shown = try await service.order("/graph", method: "GET")
            #expect(shown.status == 200)
        }
    }

    @Test func `orders carry the token of the file, which is read anew for each`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("token")
        try Data("first-token\n".utf8).write(to: URL(filePath: path))
        try await OrderedService.with(admin: ", token_file: \"\(path)\"") { service in
            try service.shelf.publish(["Mug"])
            let bare = try await service.order("/refresh")
            #expect(bare.status == 401)
            #expect(bare["WWW-Authenticate"] == "Bearer")
            #expect(try await service.order("/refresh", "Authorization: Bearer other-token\r\n").status == 401)
            #expect(try await service.order("/refresh", "Authorization: Basic first-token\r\n").status == 401)
            #expect(try await service.order("/refresh", "Authorization: bearer first-token\r\n").status == 200)
            try Data("second-token\n".utf8).write(to: URL(filePath: path))
            #expect(try await service.order("/refresh", "Authorization: Bearer first-token\r\n").status == 401)
            #expect(try await service.order("/refresh", "Authorization: Bearer second-token\r\n").status == 200)
            let unguarded = try await service.order("/history", method: "GET")
            #expect(unguarded.status == 200)
            let refused = service.log.metadata(of: "notice: operator's order refused")
            #expect(refused.map { $0["refused"] } == ["1"])
            #expect(service.shelf.asked == 2)
        }
    }
}
