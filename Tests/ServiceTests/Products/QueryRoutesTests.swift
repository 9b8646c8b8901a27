import FoundationEssentials
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QueryRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    @Test(
        arguments: [
            ("type=digital&limit=3", ["p-5", "p-10", "p-15"], 20),
            ("type=digital,physical&limit=2", ["p-1", "p-2"], 100),
            ("type=none", [], 0),
            ("category=pantry", [], 0),
            ("ids=p-7,p-3,p-999", ["p-3", "p-7"], 2),
            ("ids=p%2D7", ["p-7"], 1),
            ("ids=p-7%5C,p-3", [], 0),
            ("popular=true&type=digital&limit=2", ["p-5", "p-10"], 15),
            ("popular=false&ids=p-7,p-8", ["p-8"], 1),
            ("q=RYE+flour&limit=1", ["p-1"], 14),
            ("q=lot+77", ["p-77"], 1),
            ("min_price=37&max_price=37.99", ["p-98", "p-99", "p-100"], 3),
            ("min_price=1.36&max_price=1.36", ["p-1"], 1),
            ("sort=-sales&limit=2", ["p-20", "p-40"], 100),
            ("sort=type,-price&limit=2", ["p-100", "p-95"], 100),
            ("ids=p-5,p-6&sort=-id&view=display", ["p-6", "p-5"], 2),
        ] as [(String, [String], Int)])
    func `each filter finds its products in catalogue order`(query: String, ids: [String], total: Int) async throws {
        let answer = try await service.ask("/products?\(query)")
        #expect(answer.response.status == 200)
        #expect(answer.ids == ids)
        #expect(answer.total == total)
        #expect((answer.next == nil) == (answer.ids.count == total))
    }

    @Test func `a found product equals that of the whole catalogue`() async throws {
        let whole = try await service.get("/products")
        let found = try await service.ask("/products?ids=p-7,p-9&sort=-sales")
        let one = try await service.get("/products/p-7")
        #expect(found.products.count == 2)
        #expect(found.response.text.contains(one.text))
        #expect(whole.text.contains(one.text))
    }

    @Test(arguments: [
        ("", 7), ("sort=-price", 13), ("type=digital&sort=name,-id", 6), ("q=lot&popular=true", 1000),
        ("q=rye%20%26%20flour&ids=p-1,p-7,p-13", 1), ("view=display&fields=title", 33),
    ])
    func `the linked pages of a query have each product once`(query: String, limit: Int) async throws {
        let whole = try await service.ask("/products?\(query)")
        let pages = try await service.pages(from: "/products?\(query)&limit=\(limit)")
        #expect(pages.flatMap(\.products) == whole.products)
        #expect(pages.allSatisfy { $0.response.status == 200 && $0.total == whole.total })
        #expect(pages.dropLast().allSatisfy { $0.products.count == limit })
        #expect(pages.last?.next == nil && pages.last?.response.headers["Link"] == nil)
        #expect(whole.total == whole.products.count)
    }

    @Test func `the next page is linked in header and body, with the whole query but the old cursor`() async throws {
        let first = try await service.ask("/products?limit=2&q=Rye+%22flour%22&sort=-price,id")
        let cursor = try #require(first.next)
        let rest = "limit=2&q=Rye%20%22flour%22&sort=-price,id"
        #expect(first.target(ofLink: "next") == "/products?\(rest)&cursor=\(cursor)")
        let second = try await service.ask("/products?cursor=\(cursor)&\(rest)")
        #expect(second.target(ofLink: "next") == "/products?\(rest)&cursor=\(try #require(second.next))")
        #expect(Set(first.ids).isDisjoint(with: second.ids))
        let wider = try await service.ask("/products?cursor=\(cursor)&\(rest.replacing("limit=2&", with: ""))")
        #expect(wider.ids.count == 12 && wider.ids.starts(with: second.ids))
        #expect(wider.next == nil)
    }

    @Test(arguments: ["/products?ids=p-7&", "/products/p-7?"])
    func `chosen members come beside type and id alone`(target: String) async throws {
        let plain = try await service.get("\(target)fields=price,name")
        #expect(
            plain.text.contains(
                #"{"type":"physical","id":"p-7","name":"Rye flour (lot 7)","price":{"amount":3.58,"currency":"EUR"}}"#
            ))
        let shown = try await service.get("\(target)view=display&fields=priceLabel")
        #expect(shown.text.contains(#"{"id":"p-7","type":"physical","priceLabel":"3.58 EUR"}"#))
        let none = try await service.get("\(target)fields=nothing")
        #expect(none.text.contains(#"{"type":"physical","id":"p-7"}"#))
        #expect(Set([plain, shown, none].map { $0.headers["ETag"] }).count == 3)
    }

    @Test func `the tag does not depend on the spelling of the query`() async throws {
        let targets = ["type=digital&sort=-id", "sort=-id&type=digital", "sort=%2Did&type=digital,digital"]
        var tags: [String?] = []
        for target in targets { tags.append(try await service.get("/products?\(target)").headers["ETag"]) }
        service.clock.advance(by: .seconds(31))
        let later = try await service.get("/products?\(targets[0])")
        #expect(later.headers.cacheStatus == "larder; fwd=stale; stored")
        #expect(Set(tags + [later.headers["ETag"]]).count == 1)
    }

    @Test func `a default limit cuts the plain list into pages of the whole catalogue`() async throws {
        let service = try InMemoryService(http: "pagination: { default_limit: 30, max_limit: 40 }")
        let pages = try await service.pages(from: "/products")
        #expect(pages.map(\.products.count) == [30, 30, 30, 10])
        #expect(pages.flatMap(\.ids) == (1...100).map { "p-\($0)" })
        let next = try #require(pages[0].next)
        #expect(pages[0].target(ofLink: "next") == "/products?cursor=\(next)")
        #expect(try await service.ask("/products?").ids == pages[0].ids)
        #expect(try await service.ask("/products?view=display").ids == pages[0].ids)
        #expect(try await service.ask("/products?limit=40").ids.count == 40)
        #expect(try await service.get("/products/p-77").status == 200)
        let response = try await service.get("/products?limit=41")
        #expect(response.status == 400)
        #expect(
            response.json?["detail"] == #"query parameter "limit" must be a whole number from 1 to 40, not "41""#)
    }
}
