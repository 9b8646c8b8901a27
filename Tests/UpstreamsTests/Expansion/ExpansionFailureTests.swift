internal import Concurrency
internal import JSON
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

@Suite(.timeLimit(.minutes(1)))
struct ExpansionFailureTests {
    private static let gone = ExpansionShop.Reply(status: "500 Internal Server Error")

    @Test func `one failed request fails the refresh, with the id, the member and the URL`() async throws {
        let shop = ExpansionShop("1", "2", "3")
        shop.change { $0.replies["/products/2/price"] = Self.gone }
        try await withExpansion(of: shop, try makeExpansion()) { provider, upstream async throws in
            let failure = try #require(try await provider.failure())
            #expect(
                "\(failure)"
                    == "500 from \(upstream.url)products/2/price (provider \"http\", item \"2\", member \"price\")")
        }
    }

    @Test func `a failed refresh keeps the values that it has fetched`() async throws {
        let shop = ExpansionShop("1", "2", "3")
        shop.change { $0.replies["/products/3/price"] = Self.gone }
        try await withExpansion(of: shop, try makeExpansion(concurrency: 1)) { provider, _ async throws in
            #expect(try await provider.failure() != nil)
            shop.change { $0.replies = [:] }
            _ = shop.asked()
            #expect(try await provider.prices() == ["1.25", "1.25", "1.25"])
            #expect(shop.asked() == ["/products/3/price"])
        }
    }

    @Test func `an omitted member is absent, which the decoder reports or bears`() async throws {
        let (shop, log) = (ExpansionShop("1", "2"), LogRecorder())
        shop.change { $0.replies["/products/2/stock"] = Self.gone }
        let expansion = try makeExpansion(
            ["price": "/products/{id}/price", "stock": "/products/{id}/stock"], taking: ["stock": "available"],
            onFailure: .omit)
        try await withExpansion(of: shop, expansion, log: log) { provider, upstream async throws in
            #expect(try await provider.served().map { $0["stock"] } == [7, nil])
            let lines = log.metadata(of: "warning: members of products could not be fetched")
            #expect(lines.map { $0["members"] } == ["1"])
            #expect(lines.first?["first"] == "500 from \(upstream.url)products/2/stock (item \"2\", member \"stock\")")
            shop.change { $0.replies = ["/products/2/price": Self.gone] }
            shop.change { $0.items[1].updated = "tuesday" }
            guard case .malformed(let detail, _)? = try await provider.failure() else {
                Issue.record("a product without a price is served")
                return
            }
            #expect(detail.contains("price"))
        }
    }

    @Test func `a kept value stands in, is asked for again, and without one the refresh fails`() async throws {
        let (shop, log) = (ExpansionShop("1", "2"), LogRecorder())
        try await withExpansion(of: shop, try makeExpansion(onFailure: .keep), log: log) { provider, _ async throws in
            _ = try await provider.prices()
            shop.change { state in
                for index in state.items.indices {
                    (state.items[index].updated, state.items[index].price) = ("tuesday", "2.75")
                }
                state.replies["/products/2/price"] = Self.gone
            }
            #expect(try await provider.prices() == ["2.75", "1.25"])
            #expect(log.count(of: "warning: members of products could not be fetched") == 1)
            shop.change { $0.replies = [:] }
            _ = shop.asked()
            #expect(try await provider.prices() == ["2.75", "2.75"])
            #expect(shop.asked() == ["/products/2/price"])
            shop.change { state in
                state.items.append(ExpansionShop.Item(id: "3", updated: "monday"))
                state.replies["/products/3/price"] = Self.gone
            }
            #expect(try await provider.failure() == .upstreamStatus(500, retryAfter: nil))
        }
    }

    @Test(arguments: [ItemExpansion.FailurePolicy.keep, .omit, .fail])
    func `an upstream that asks for a pause is asked no further`(policy: ItemExpansion.FailurePolicy) async throws {
        let shop = ExpansionShop("1", "2", "3", "4")
        try await withExpansion(of: shop, try makeExpansion(concurrency: 1, onFailure: policy)) {
            provider, _ async throws in
            _ = try await provider.prices()
            _ = shop.asked()
            shop.change { state in
                for index in state.items.indices { state.items[index].updated = "tuesday" }
                state.replies["/products/2/price"] = ExpansionShop.Reply(
                    status: "429 Too Many Requests", headers: "Retry-After: 30\r\n")
            }
            #expect(try await provider.failure() == .upstreamStatus(429, retryAfter: .seconds(30)))
            #expect(shop.asked() == ["/products/1/price", "/products/2/price"])
        }
    }

    @Test(arguments: [
        ("<html>login</html>", "HTML instead of JSON"), ("{\"amount\":", "invalid JSON at line 1, column 11"),
        ("{}", "\"amount\" leads to nothing"),
    ])
    func `an answer that has no value is a failure`(body: String, reason: String) async throws {
        let shop = ExpansionShop("1")
        shop.change { $0.replies["/products/1/price"] = ExpansionShop.Reply(body: body) }
        try await withExpansion(of: shop, try makeExpansion(taking: ["price": "amount"])) { provider, _ async throws in
            let failure = try #require(try await provider.failure())
            #expect("\(failure)".contains(reason))
            #expect("\(failure)".contains("item \"1\", member \"price\""))
        }
    }

    @Test func `an item without the value for a URL is a failure, or lacks the member`() async throws {
        let members = ["price": "/products/{id}/price", "stock": "/stock/{sku}"]
        let shop = ExpansionShop("1")
        try await withExpansion(of: shop, try makeExpansion(members, onFailure: .keep)) { provider, _ async throws in
            let failure = "\(try #require(try await provider.failure()))"
            #expect(failure.contains("the item has no text or number at \"sku\" for its URL"))
            #expect(failure.contains("item \"1\", member \"stock\""))
            #expect(shop.asked() == [])
        }
        try await withExpansion(of: shop, try makeExpansion(members, onFailure: .omit)) { provider, _ async throws in
            #expect(try await provider.served().map { $0["stock"] } == [nil])
            #expect(shop.asked() == ["/products/1/price"])
        }
    }

    @Test func `credentials that are refused fail the refresh whatever the policy`() async throws {
        let shop = ExpansionShop("1", "2")
        shop.change { $0.replies["/products/1/price"] = ExpansionShop.Reply(status: "401 Unauthorized") }
        try await withExpansion(of: shop, try makeExpansion(concurrency: 1, onFailure: .omit)) {
            provider, _ async throws in
            #expect(try await provider.failure() == .upstreamStatus(401, retryAfter: nil))
            #expect(shop.asked() == ["/products/1/price"])
        }
    }

    @Test func `a merged answer that is no object is a failure`() async throws {
        let shop = ExpansionShop("1")
        shop.change { $0.replies["/products/1/price"] = ExpansionShop.Reply(body: "[1]") }
        try await withExpansion(of: shop, try makeExpansion(merging: ["price"])) { provider, _ async throws in
            #expect("\(try #require(try await provider.failure()))".contains("expected an object, found an array"))
        }
    }

    @Test func `values that exceed the limit together are refused`() async throws {
        let shop = ExpansionShop([])
        shop.change { state in
            state.items = (1...4).map { ExpansionShop.Item(id: "\($0)", updated: "monday") }
            for id in 1...4 {
                state.replies["/products/\(id)/price"] = ExpansionShop.Reply(
                    body: #"{"amount":1,"currency":"EUR","note":"\#(String(repeating: "x", count: 300))"}"#)
            }
        }
        var limits = wide
        limits.body = 1000
        try await withExpansion(of: shop, try makeExpansion(concurrency: 1), limits: limits) {
            provider, _ async throws in
            #expect(try await provider.failure() == .tooLarge(limit: 1000))
            #expect(shop.asked() == (1...3).map { "/products/\($0)/price" })
        }
    }

    @Test func `the timeout counts for all members together, and names the first that is missing`() async throws {
        let (shop, clock, log) = (ExpansionShop("1", "2", "3"), ManualClock(), LogRecorder())
        shop.change { $0.silent = ["/products/2/price"] }
        let expansion = try makeExpansion(concurrency: 1, timeout: .seconds(10))
        try await withExpansion(of: shop, expansion, clock: clock, log: log) { provider, upstream async throws in
            async let failure = provider.failure()
            await upstream.wait(requests: 2)
            // Of the rate, which lets the next requests begin after a millisecond each.
            await clock.waitForSleepers(2)
            clock.advance(by: .milliseconds(1))
            await upstream.wait(requests: 3)
            clock.advance(by: .seconds(10))
            let description = "\(try #require(try await failure))"
            #expect(description.contains("no answer within 10s from \(upstream.url)products/2/price"))
            #expect(description.contains("item \"2\", member \"price\""))
            #expect(
                log.metadata(of: "warning: members of products were not fetched in time")
                    .map { [$0["fetched"], $0["unanswered"]] } == [["1", "2"]])
            await upstream.waitUntilIdle()
            #expect(shop.asked() == ["/products/1/price", "/products/2/price"])
        }
    }

    @Test func `a refresh that is cancelled sends no further request`() async throws {
        let shop = ExpansionShop("1", "2", "3")
        shop.change { $0.silent = ["/products/1/price"] }
        try await withExpansion(of: shop, try makeExpansion(concurrency: 1)) { provider, upstream async throws in
            let refresh = Task { try await provider.ask() }
            await upstream.wait(requests: 2)
            refresh.cancel()
            await #expect(throws: CancellationError.self) { try await refresh.value }
            await upstream.waitUntilIdle()
            #expect(shop.asked() == ["/products/1/price"])
        }
    }

    @Test(arguments: [ItemExpansion.FailurePolicy.keep, .omit])
    func `an upstream that is gone fails the refresh whatever the policy`(policy: ItemExpansion.FailurePolicy)
        async throws
    {
        let shop = ExpansionShop("1", "2")
        try await withExpansion(of: shop, try makeExpansion(concurrency: 1, onFailure: policy)) {
            provider, upstream async throws in
            _ = try await provider.prices()
            shop.change { state in
                for index in state.items.indices { state.items[index].updated = "tuesday" }
                state.ends["/products/1/price"] = { upstream.stop() }
            }
            guard case .unreachable(.refused, _, _)? = try await provider.failure() else {
                Issue.record("the refresh went on without the upstream")
                return
            }
        }
    }
}
