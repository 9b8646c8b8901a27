import FoundationEssentials
import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Queries over HTTP", .timeLimit(.minutes(1)))
struct QueryRoutesTests {
    @Test(
        "Each filter finds what it says, in catalogue order",
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
    func filters(query: String, ids: [String], total: Int) async throws {
        try await Stand.with { stand in
            let answer = try await stand.ask("/products?\(query)")
            #expect(answer.response.status == 200)
            #expect(answer.ids == ids)
            #expect(answer.total == total)
            #expect((answer.next == nil) == (answer.ids.count == total))
        }
    }

    @Test("What is found is the very product that the whole catalogue has")
    func faithful() async throws {
        try await Stand.with { stand in
            let whole = try await stand.get("/products")
            let found = try await stand.ask("/products?ids=p-7,p-9&sort=-sales")
            let one = try await stand.get("/products/p-7")
            #expect(found.products.count == 2)
            #expect(found.response.text.contains(one.text))
            #expect(whole.text.contains(one.text))
        }
    }

    @Test(
        "The pages of a query, each reached by the link of the one before, are all that it finds, once each",
        arguments: [
            ("", 7), ("sort=-price", 13), ("type=digital&sort=name,-id", 6), ("q=lot&popular=true", 1000),
            ("q=rye%20%26%20flour&ids=p-1,p-7,p-13", 1), ("view=display&fields=title", 33),
        ])
    func walk(query: String, limit: Int) async throws {
        try await Stand.with { stand in
            let whole = try await stand.ask("/products?\(query)")
            let pages = try await stand.pages(from: "/products?\(query)&limit=\(limit)")
            #expect(pages.flatMap(\.products) == whole.products)
            #expect(pages.allSatisfy { $0.response.status == 200 && $0.total == whole.total })
            #expect(pages.dropLast().allSatisfy { $0.products.count == limit })
            #expect(pages.last?.next == nil && pages.last?.response.headers["Link"] == nil)
            #expect(whole.total == whole.products.count)
        }
    }

    @Test("The next page is linked in header and body, with all of the query and without the old cursor")
    func links() async throws {
        try await Stand.with { stand in
            let first = try await stand.ask("/products?limit=2&q=Rye+%22flour%22&sort=-price,id")
            let cursor = try #require(first.next)
            let rest = "limit=2&q=Rye%20%22flour%22&sort=-price,id"
            #expect(first.target(ofLink: "next") == "/products?\(rest)&cursor=\(cursor)")
            let second = try await stand.ask("/products?cursor=\(cursor)&\(rest)")
            #expect(second.target(ofLink: "next") == "/products?\(rest)&cursor=\(try #require(second.next))")
            #expect(Set(first.ids).isDisjoint(with: second.ids))
            let wider = try await stand.ask("/products?cursor=\(cursor)&\(rest.replacing("limit=2&", with: ""))")
            #expect(wider.ids.count == 12 && wider.ids.starts(with: second.ids))
            #expect(wider.next == nil)
        }
    }

    @Test(
        "Chosen members are all that products have, beside type and id",
        arguments: ["/products?ids=p-7&", "/products/p-7?"])
    func fields(target: String) async throws {
        try await Stand.with { stand in
            let plain = try await stand.get("\(target)fields=price,name")
            #expect(
                plain.text.contains(
                    #"{"type":"physical","id":"p-7","name":"Rye flour (lot 7)","price":{"amount":3.58,"currency":"EUR"}}"#
                ))
            let shown = try await stand.get("\(target)view=display&fields=priceLabel")
            #expect(shown.text.contains(#"{"id":"p-7","type":"physical","priceLabel":"3.58 EUR"}"#))
            let none = try await stand.get("\(target)fields=nothing")
            #expect(none.text.contains(#"{"type":"physical","id":"p-7"}"#))
            #expect(Set([plain, shown, none].map { $0.headers["ETag"] }).count == 3)
        }
    }

    @Test(
        "A query's answer has the headers of the whole, and a tag of its own that gets a 304", arguments: Self.targets)
    func headers(target: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            stand.clock.advance(by: .seconds(4))
            let whole = try await stand.get("/products")
            let answer = try await stand.get(target)
            let own = Set(["Date", "ETag", "Content-Length", "Link"])
            #expect(
                answer.headers.all.filter { !own.contains($0.name) }
                    == whole.headers.all.filter { !own.contains($0.name) })
            let tag = try #require(answer.headers["ETag"])
            #expect(tag.hasPrefix("\"") && tag != whole.headers["ETag"])
            let again = try await stand.get(target, headers: [HTTPHeader("If-None-Match", tag)])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            for name in ["ETag", "Age", "Cache-Control", "Cache-Status", "Last-Modified", "Link"] {
                #expect(again.headers[name] == answer.headers[name])
            }
        }
    }

    private static let targets = [
        "/products?type=digital", "/products?limit=3&sort=-name", "/products/p-7?fields=name",
    ]

    @Test("HEAD has the headers of GET and no body", arguments: targets)
    func head(target: String) async throws {
        try await Stand.with { stand in
            let get = try await stand.get(target)
            let head = try await stand.get(target, method: "HEAD")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.headers["Content-Length"] == "\(get.body.count)")
            for name in ["ETag", "Link"] { #expect(head.headers[name] == get.headers[name]) }
        }
    }

    @Test("Equal answers have equal tags, however the query is spelt; a refresh with the same products keeps them")
    func tags() async throws {
        try await Stand.with { stand in
            let targets = ["type=digital&sort=-id", "sort=-id&type=digital", "sort=%2Did&type=digital,digital"]
            var tags: [String?] = []
            for target in targets { tags.append(try await stand.get("/products?\(target)").headers["ETag"]) }
            stand.clock.advance(by: .seconds(31))
            let later = try await stand.get("/products?\(targets[0])")
            #expect(later.headers["Cache-Status"] == "larder; fwd=stale; stored")
            #expect(Set(tags + [later.headers["ETag"]]).count == 1)
        }
    }

    @Test(
        "A query that every product passes is answered with the whole's bytes", arguments: ["?", "?&", "?min_price=0"])
    func wholeCatalogue(query: String) async throws {
        try await Stand.with { stand in
            let whole = try await stand.get("/products")
            #expect(try await stand.get("/products\(query)").body == whole.body)
        }
    }

    @Test("Queries are answered while the upstream is down")
    func offline() async throws {
        try await Stand.with { stand in
            let first = try await stand.ask("/products?limit=3&type=digital")
            try await stand.shop.fail("status=500")
            stand.clock.advance(by: .seconds(60))
            let offline = try await stand.ask(try #require(first.target(ofLink: "next")))
            #expect(offline.response.status == 200)
            #expect(offline.ids == ["p-20", "p-25", "p-30"])
            #expect(offline.response.headers["Age"] == "60")
        }
    }
}
