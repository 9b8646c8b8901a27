internal import Concurrency
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

@Suite(.timeLimit(.minutes(1)))
struct ExpandedCollectionTests {
    @Test func `each member is asked for with the headers of the list, and joins its item before decoding`()
        async throws
    {
        let shop = ExpansionShop("1", "2")
        shop.change { $0.items[1].price = "1234567890.123456789" }
        let expansion = try makeExpansion(
            ["price": "/products/{id}/price", "stock": "/products/{id}/stock"], taking: ["stock": "available"])
        try await withExpansion(of: shop, expansion) { provider, upstream async throws in
            let products = try await provider.served()
            #expect(
                products.map { $0["price"]?.object?["amount"]?.number?.literal } == ["1.25", "1234567890.123456789"])
            #expect(products.map { $0["stock"] } == [7, 7])
            #expect(upstream.requestHeads.count == 5)
            #expect(upstream.requestHeads.allSatisfy { $0.contains("X-Shop: 7\r\n") })
        }
    }

    @Test func `products whose date is unchanged need no request`() async throws {
        let shop = ExpansionShop("1", "2", "3")
        try await withExpansion(of: shop, try makeExpansion()) { provider, _ async throws in
            _ = try await provider.prices()
            #expect(shop.asked().count == 3)
            let answer = try await provider.ask()
            #expect(shop.asked() == [])
            #expect(answer.steps == ["http: unchanged"])
            shop.change { $0.items[1] = ExpansionShop.Item(id: "2", updated: "tuesday", price: "9.99") }
            #expect(try await provider.prices() == ["1.25", "9.99", "1.25"])
            #expect(shop.asked() == ["/products/2/price"])
        }
    }

    @Test func `the value of a product that goes is dropped with it`() async throws {
        let shop = ExpansionShop("1", "2")
        try await withExpansion(of: shop, try makeExpansion()) { provider, _ async throws in
            _ = try await provider.prices()
            shop.change { $0.items.removeLast() }
            #expect(try await provider.prices() == ["1.25"])
            _ = shop.asked()
            shop.change { $0.items.append(ExpansionShop.Item(id: "2", updated: "monday", price: "2.75")) }
            #expect(try await provider.prices() == ["1.25", "2.75"])
            #expect(shop.asked() == ["/products/2/price"])
        }
    }

    @Test func `a list that its validator confirms needs no request for members either`() async throws {
        let shop = ExpansionShop("1", "2")
        shop.change { $0.listTag = "\"v1\"" }
        try await withExpansion(of: shop, try makeExpansion()) { provider, upstream async throws in
            for _ in 0..<3 { #expect(try await provider.prices() == ["1.25", "1.25"]) }
            #expect(shop.asked().count == 2)
            #expect(upstream.requestHeads.count == 5)
        }
    }

    @Test func `a product without the date is asked for each time`() async throws {
        let shop = ExpansionShop("1", "2")
        shop.change { state in
            state.listTag = "\"v1\""
            state.items[0].updated = nil
        }
        try await withExpansion(of: shop, try makeExpansion()) { provider, _ async throws in
            _ = try await provider.prices()
            _ = shop.asked()
            shop.change { $0.items[0].price = "2.75" }
            #expect(try await provider.prices() == ["2.75", "1.25"])
            #expect(shop.asked() == ["/products/1/price"])
        }
    }

    @Test func `without a date each member is asked for by its validator, and a 304 stands for the kept value`()
        async throws
    {
        let shop = ExpansionShop("1", "2")
        shop.change { state in
            (state.isValidating, state.listTag) = (true, "\"v1\"")
        }
        try await withExpansion(of: shop, try makeExpansion(changedBy: nil)) { provider, upstream async throws in
            _ = try await provider.prices()
            _ = shop.asked()
            shop.change { $0.items[1].price = "2.75" }
            #expect(try await provider.prices() == ["1.25", "2.75"])
            #expect(shop.asked().sorted() == ["/products/1/price", "/products/2/price"])
            #expect(upstream.requestHeads.suffix(2).allSatisfy { $0.contains("If-None-Match: \"") })
            #expect(try await provider.ask().steps == ["http: unchanged"])
        }
    }

    @Test(arguments: [
        ("7/8", "/products/7%2F8/price"), ("a b?c#d", "/products/a%20b%3Fc%23d/price"),
        ("grün%20", "/products/gr%C3%BCn%2520/price"), ("//evil.example", "/products/%2F%2Fevil.example/price"),
        ("..a", "/products/..a/price"),
    ])
    func `an id with odd characters stands encoded in its URL`(id: String, target: String) async throws {
        let shop = ExpansionShop(id)
        try await withExpansion(of: shop, try makeExpansion()) { provider, _ async throws in
            #expect(try await provider.prices() == ["1.25"])
            #expect(shop.asked() == [target])
        }
    }

    @Test(arguments: ["..", "."])
    func `an id that would lead to another path is refused`(id: String) async throws {
        let shop = ExpansionShop(id)
        try await withExpansion(of: shop, try makeExpansion()) { provider, _ async throws in
            let failure = try #require(try await provider.failure())
            #expect("\(failure)".contains("no URL of this upstream: /products/\(id)/price"))
            #expect(shop.asked() == [])
        }
    }

    @Test func `several items with one URL share its request`() async throws {
        let shop = ExpansionShop("1", "2")
        shop.change { $0.replies["/of/Mug"] = ExpansionShop.Reply(body: #"{"amount":3,"currency":"EUR"}"#) }
        try await withExpansion(of: shop, try makeExpansion(["price": "/of/{name}"])) { provider, _ async throws in
            #expect(try await provider.prices() == ["3", "3"])
            #expect(shop.asked() == ["/of/Mug"])
        }
    }

    @Test func `merged members join the item and replace none of it`() async throws {
        let shop = ExpansionShop("1")
        shop.change {
            $0.replies["/details/1"] = ExpansionShop.Reply(
                body: #"{"id":"9","name":"Other","colour":"blue","price":{"amount":5.25,"currency":"EUR"}}"#)
        }
        try await withExpansion(of: shop, try makeExpansion(["detail": "/details/{id}"], merging: ["detail"])) {
            provider, _ async throws in
            let product = try #require(try await provider.served().first)
            #expect(product["id"] == "1" && product["name"] == "Mug" && product["colour"] == "blue")
            #expect(product["price"]?.object?["amount"]?.number?.literal == "5.25")
        }
    }

    @Test func `the progress counts answers`() async throws {
        let (shop, lines) = (ExpansionShop("1", "2", "3"), Shared<[String]>([]))
        let progress = ExpansionProgress { answered, all in lines.withLock { $0.append("\(answered) of \(all)") } }
        try await withExpansion(of: shop, try makeExpansion(), progress: progress) { provider, _ async throws in
            _ = try await provider.prices()
            #expect(lines.withLock { $0 } == ["1 of 3", "2 of 3", "3 of 3"])
        }
    }

    @Test func `no more requests than allowed are under way at once`() async throws {
        let shop = ExpansionShop([])
        shop.change { state in
            state.items = (1...12).map { ExpansionShop.Item(id: "\($0)", updated: "monday") }
            for id in 1...12 {
                state.awaited = 3
                state.replies["/slow/\(id)"] = ExpansionShop.Reply(body: #"{"amount":1,"currency":"EUR"}"#)
            }
        }
        try await withExpansion(of: shop, try makeExpansion(["price": "/slow/{id}"], concurrency: 3)) {
            provider, _ async throws in
            #expect(try await provider.prices().count == 12)
            #expect(shop.mostUnderWay == 3)
        }
    }

    @Test func `requests begin no faster than the rate`() async throws {
        let (shop, clock) = (ExpansionShop("1", "2", "3"), ManualClock())
        try await withExpansion(of: shop, try makeExpansion(rate: "1/s"), clock: clock) {
            provider, upstream async throws in
            async let prices = provider.prices()
            // Two requests and the timeout.
            await clock.waitForSleepers(3)
            await upstream.wait(requests: 2)
            for count in 3...4 {
                clock.advance(by: .milliseconds(999))
                #expect(clock.sleepers == 6 - count)
                clock.advance(by: .milliseconds(1))
                await upstream.wait(requests: count)
            }
            #expect(try await prices == ["1.25", "1.25", "1.25"])
        }
    }
}
