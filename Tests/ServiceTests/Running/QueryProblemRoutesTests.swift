import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Queries that cannot be answered, over HTTP", .timeLimit(.minutes(1)))
struct QueryProblemRoutesTests {
    private static let noCursor = #"query parameter "cursor" cannot be used: it is not one that an earlier page gave"#

    @Test(
        "A bad query is a 400 problem that names the parameter and says what would be right",
        arguments: [
            ("?limit=0", "limit", #"query parameter "limit" must be a whole number from 1 to 1000, not "0""#),
            ("?limit=1001", "limit", #"query parameter "limit" must be a whole number from 1 to 1000, not "1001""#),
            ("?limit=", "limit", #"query parameter "limit" has no value"#),
            ("?type=a,,b", "type", #"query parameter "type" has nothing at place 2 of its list"#),
            (
                "?category=a%5C", "category",
                #"query parameter "category" ends with a "\", which must stand before a "," or another "\""#
            ),
            ("?popular=1", "popular", #"query parameter "popular" may be "true" or "false", not "1""#),
            ("?ids=p-1&ids=p-2", "ids", #"query parameter "ids" is given more than once"#),
            ("?q=%2C-", "q", #"query parameter "q" has no word to search for: ",-""#),
            ("?q=a+b+c+d+e+f+g+h+i", "q", #"query parameter "q" has 9 words, more than 8"#),
            (
                "?min_price=ten", "min_price",
                #"query parameter "min_price" must be a decimal number of at most 38 digits, such as 19.99, not "ten""#
            ),
            (
                "?max_price=1&min_price=2", "min_price",
                #"query parameter "min_price" is 2, more than "max_price", which is 1"#
            ),
            ("?sort=-name,name", "sort", #"query parameter "sort" names "name" more than once"#),
            ("?view=grid", "view", #"query parameter "view" may be "display", not "grid""#),
            ("?fields=,", "fields", #"query parameter "fields" has nothing at place 1 of its list"#),
            ("?cursor=abc", "cursor", noCursor),
            ("?cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "cursor", noCursor),
            (
                "/p-7?field=name", "field",
                #"unknown query parameter "field"; did you mean "fields"? This resource takes "fields" and "view""#
            ),
            ("/p-7?limit=3", "limit", #"unknown query parameter "limit": this resource takes "fields" and "view""#),
            ("/p-999?fields=", "fields", #"query parameter "fields" has no value"#),
        ])
    func refused(query: String, parameter: String, detail: String) async throws {
        try await Stand.with { stand in
            let response = try await stand.get("/products\(query)")
            #expect(response.status == 400)
            #expect(response.headers["Content-Type"] == "application/problem+json")
            #expect(response.headers["Cache-Control"] == "no-store")
            #expect(response.json?["parameter"]?.string == parameter)
            #expect(response.json?["detail"]?.string == detail)
        }
    }

    @Test("A misspelt parameter, and a misspelt sort key, get a hint")
    func hints() async throws {
        try await Stand.with { stand in
            let parameter = try await stand.get("/products?min-price=3&limit=5")
            #expect(parameter.status == 400)
            #expect(parameter.json?["parameter"] == "min-price")
            #expect(parameter.json?["detail"]?.string?.contains(#"; did you mean "min_price"?"#) == true)
            let key = try await stand.get("/products?sort=-prise")
            #expect(key.status == 400)
            #expect(key.json?["parameter"] == "sort")
            #expect(key.json?["detail"]?.string?.contains(#"; did you mean "-price"?"#) == true)
        }
    }

    @Test("A bad query is refused before the graph is asked")
    func beforeTheGraph() async throws {
        try await Stand.with({ $0.isMonitored = false }) { stand in
            _ = try await stand.warm()
            stand.clock.advance(by: .seconds(2 * 3600))
            let requests = try await stand.shop.requests()
            #expect(try await stand.get("/products?limit=none").status == 400)
            #expect(try await stand.shop.requests() == requests)
        }
    }

    @Test("A cursor of another query is a 400 problem")
    func ofAnotherQuery() async throws {
        try await Stand.with { stand in
            let cursor = try #require(try await stand.ask("/products?limit=2&type=digital").next)
            let response = try await stand.get("/products?limit=2&type=physical&cursor=\(cursor)")
            #expect(response.status == 400)
            #expect(response.json?["parameter"] == "cursor")
        }
    }

    @Test("A cursor of a catalogue that was replaced is a 410 problem, with a link to the first page of the same query")
    func ofAnotherRevision() async throws {
        try await VariedStand.with("top: { type: memory, ttl: 10s, stale_while_revalidate: 0s, upstream: gold }") {
            stand in
            let target = "/products?limit=1&q=gold&sort=-name"
            let cursor = try #require(QueriedAnswer(response: try await stand.get(target)).next)
            let second = try await stand.get("\(target)&cursor=\(cursor)")
            #expect(QueriedAnswer(response: second).ids == ["1"])

            stand.gold.serve(try VariedStand.catalogue("New gold"))
            stand.clock.advance(by: .seconds(11))
            let gone = QueriedAnswer(response: try await stand.get("\(target)&cursor=\(cursor)"))
            #expect(gone.response.status == 410)
            #expect(gone.response.headers["Content-Type"] == "application/problem+json")
            #expect(gone.response.headers["Cache-Control"] == "no-store")
            #expect(gone.response.json?["parameter"] == "cursor")
            #expect(gone.response.json?["title"] == "Gone")
            let first = try #require(gone.target(ofLink: "first"))
            #expect(first == target)
            let again = QueriedAnswer(response: try await stand.get(first))
            #expect(again.products.first?.object?["name"]?.string == "New gold two")
        }
    }

    @Test("Where answers vary by a header, so do pages, and so does what is said of a cursor")
    func variants() async throws {
        let graph = "top: { type: audience, header: X-Tier, cases: { gold: gold }, otherwise: rest }"
        try await VariedStand.with(graph) { stand in
            let gold = QueriedAnswer(response: try await stand.get("/products?limit=1", ["X-Tier": "gold"]))
            #expect(gold.products.first?.object?["name"]?.string == "Gold")
            #expect(gold.response.headers["Vary"] == "Accept-Encoding, X-Tier")
            let next = try #require(gold.target(ofLink: "next"))
            let second = QueriedAnswer(response: try await stand.get(next, ["X-Tier": "gold"]))
            #expect(second.products.first?.object?["name"]?.string == "Gold two")
            let other = try await stand.get(next)
            #expect(other.status == 410)
            #expect(other.headers["Vary"] == "Accept-Encoding, X-Tier")
        }
    }
}
