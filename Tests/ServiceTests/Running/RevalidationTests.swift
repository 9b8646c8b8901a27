import Networking
import TestSupport
import Testing

/// What caches before the shop, and those of clients, are told when something has changed.
@Suite(.timeLimit(.minutes(2)))
struct RevalidationTests {
    @Test func `caches before the shop confirm what a hook or a forced order asks for, and nothing else`() async throws
    {
        try await HookStand.with { stand in
            func order(_ target: String) async throws {
                let status = try await stand.send(target, "POST", [], admin: true).status
                #expect(status == 200, "\(target)")
            }
            try await order("/refresh")
            try await order("/refresh?force=1")
            try await order("/refresh")
            #expect(stand.shop.cacheControls == [nil, nil, "no-cache", nil])
            try await stand.hook()
            await stand.shop.wait(forRequests: 5)
            #expect(stand.shop.cacheControls.last == "no-cache")
        }
    }

    @Test func `a pin and its end are modifications: a client that compares dates keeps nothing from before`()
        async throws
    {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            try await service.put(["Mugg"])
            for (order, name) in [("/pin?generation=1", "Mug"), ("/unpin?confirm=1", "Mugg")] {
                service.clock.advance(by: .seconds(60))
                let date = try #require(try await service.get("/products")["Last-Modified"])
                let known = "If-Modified-Since: \(date)\r\n"
                let unmodified = try await service.get("/products", known).status
                #expect(unmodified == 304)
                let ordered = try await service.order(order).status
                #expect(ordered == 200)
                let modified = try await service.get("/products", known)
                #expect(modified.status == 200 && modified.text.contains("\"\(name)\""))
            }
            let date = try await service.get("/products")["Last-Modified"]
            #expect(date == "Fri, 15 Jan 2027 08:02:00 GMT")
        }
    }
}
