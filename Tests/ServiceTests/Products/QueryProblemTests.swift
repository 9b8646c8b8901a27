import Networking
import JSON
import ServingTestSupport
import TestSupport
import Testing

@Suite struct QueryProblemTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    private static let noCursor = #"query parameter "cursor" cannot be used: it is not one that an earlier page gave"#
    private static let takes = #"this resource takes "fields" and "view""#

    @Test(arguments: [
        ("?limit=0", "limit", #"query parameter "limit" must be a whole number from 1 to 1000, not "0""#),
        (
            "?max_price=1&min_price=2", "min_price",
            #"query parameter "min_price" is 2, more than "max_price", which is 1"#
        ),
        ("?view", "view", #"query parameter "view" has no value"#),
        ("?view=display&view=display", "view", #"query parameter "view" is given more than once"#),
        (
            "/p-7?view=Display", "view",
            #"query parameter "view" may be "display", not "Display"; did you mean "display"?"#
        ),
        ("/p-999?fields=", "fields", #"query parameter "fields" has no value"#),
        ("?cursor=abc", "cursor", noCursor),
        (
            "/p-7?field=name", "field",
            #"unknown query parameter "field"; did you mean "fields"? T\#(takes.dropFirst())"#
        ),
        ("/p-7?limit=3", "limit", #"unknown query parameter "limit": \#(takes)"#),
    ])
    func `a bad query is a 400 problem with the parameter and the remedy`(
        query: String, parameter: String, detail: String
    ) async throws {
        let response = try await service.get("/products\(query)")
        #expect(response.isProblem(400))
        #expect(response.json?["title"] == "Bad Request")
        #expect(response.json?["parameter"]?.string == parameter)
        #expect(response.json?["detail"]?.string == detail)
    }

    @Test(arguments: [
        ("?page=3", "page", #"unknown query parameter "page""#),
        ("?a+b%21", "a b!", #"unknown query parameter "a b!""#),
        ("?min-price=3&limit=5", "min-price", #"; did you mean "min_price"?"#),
        ("?sort=-prise", "sort", #"; did you mean "-price"?"#),
    ])
    func `an unknown name is refused, with a hint for a misspelt one`(
        query: String, parameter: String, part: String
    ) async throws {
        let response = try await service.get("/products\(query)")
        #expect(response.isProblem(400))
        #expect(response.json?["parameter"]?.string == parameter)
        #expect(response.json?["detail"]?.string?.contains(part) == true)
    }

    @Test func `a query that cannot be decoded is a 400 problem, an empty one is none`() async throws {
        #expect(try await service.get("/products?a=%zz").isProblem(400))
        #expect(try await service.get("/products?").status == 200)
    }

    @Test func `a bad query is refused before the graph is asked`() async throws {
        #expect(try await service.get("/products?limit=none").status == 400)
        #expect(service.shop.asked == 0)
    }

    @Test func `a cursor of another query is a 400 problem`() async throws {
        let cursor = try #require(try await service.ask("/products?limit=2&type=digital").next)
        let response = try await service.get("/products?limit=2&type=physical&cursor=\(cursor)")
        #expect(response.status == 400)
        #expect(response.json?["parameter"] == "cursor")
    }

    @Test func `a cursor of a replaced catalogue is a 410 problem with a link to the first page`() async throws {
        let service = try InMemoryService("top: { type: memory, ttl: 10s, stale_while_revalidate: 0s, upstream: gold }")
        let target = "/products?limit=1&q=gold&sort=-name"
        let cursor = try #require(try await service.ask(target).next)
        #expect(try await service.ask("\(target)&cursor=\(cursor)").ids == ["1"])

        try service.gold.serve(["New gold", "New gold two"])
        service.clock.advance(by: .seconds(11))
        let gone = try await service.ask("\(target)&cursor=\(cursor)")
        #expect(gone.response.isProblem(410))
        #expect(gone.response.json?["parameter"] == "cursor")
        #expect(gone.response.json?["title"] == "Gone")
        let first = try #require(gone.target(ofLink: "first"))
        #expect(first == target)
        #expect(try await service.ask(first).products.first?.object?["name"] == "New gold two")
    }

    @Test func `where answers vary by a header, pages and cursors vary too`() async throws {
        let service = try InMemoryService(
            "top: { type: audience, header: X-Tier, cases: { gold: gold }, otherwise: rest }")
        let gold = try await service.ask("/products?limit=1", ["X-Tier": "gold"])
        #expect(gold.products.first?.object?["name"] == "Gold")
        #expect(gold.response.headers["Vary"] == "Accept-Encoding, X-Tier")
        let next = try #require(gold.target(ofLink: "next"))
        #expect(try await service.ask(next, ["X-Tier": "gold"]).products.first?.object?["name"] == "Gold two")
        let other = try await service.get(next)
        #expect(other.status == 410)
        #expect(other.headers["Vary"] == "Accept-Encoding, X-Tier")
    }
}
