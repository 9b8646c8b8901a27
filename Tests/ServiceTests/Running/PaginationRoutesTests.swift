import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("The length of pages, over HTTP", .timeLimit(.minutes(1)))
struct PaginationRoutesTests {
    private static let short = "listen: 127.0.0.1:0, pagination: { default_limit: 30, max_limit: 40 }"

    @Test("With a default limit the plain list is cut as well, whose pages are the whole catalogue")
    func defaultLimit() async throws {
        try await Stand.with({ $0.http = Self.short }) { stand in
            let pages = try await stand.pages(from: "/products")
            #expect(pages.map(\.products.count) == [30, 30, 30, 10])
            #expect(pages.flatMap(\.ids) == (1...100).map { "p-\($0)" })
            let next = try #require(pages[0].next)
            #expect(pages[0].target(ofLink: "next") == "/products?cursor=\(next)")
            #expect(try await stand.ask("/products?").ids == pages[0].ids)
            #expect(try await stand.ask("/products?view=display").ids == pages[0].ids)
            #expect(try await stand.ask("/products?limit=40").ids.count == 40)
            #expect(try await stand.get("/products/p-77").status == 200)
        }
    }

    @Test("A limit above the greatest is refused, with what would do")
    func maxLimit() async throws {
        try await Stand.with({ $0.http = Self.short }) { stand in
            let response = try await stand.get("/products?limit=41")
            #expect(response.status == 400)
            #expect(
                response.json?["detail"]
                    == #"query parameter "limit" must be a whole number from 1 to 40, not "41""#)
        }
    }

    @Test("A reload puts other lengths into force")
    func reload() async throws {
        try await Stand.with { stand in
            #expect(try await stand.ask("/products").ids.count == 100)
            try await stand.reload { $0.http = Self.short }
            #expect(try await stand.ask("/products").ids.count == 30)
            #expect(try await stand.get("/products?limit=41").status == 400)
        }
    }
}
