import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("What is shown of products, over HTTP", .timeLimit(.minutes(1)))
struct DisplayRoutesTests {
    private static let list = "/products?view=display"
    private static let flour =
        #"{"id":"p-7","type":"physical","title":"Rye flour (lot 7)","subtitle":"weight 1.01","#
        + #""priceLabel":"3.58 EUR","badge":"Popular","selectable":true}"#
    private static let labels =
        #"{"id":"p-10","type":"digital","title":"Jam labels (lot 10)","subtitle":"40 KiB","#
        + #""priceLabel":"4.69 EUR","badge":"Popular","selectable":true}"#

    @Test("GET /products?view=display shows the whole catalogue in its order")
    func whole() async throws {
        try await Stand.with { stand in
            let plain = try await stand.get("/products")
            let shown = try await stand.get(Self.list)
            #expect(shown.status == 200)
            #expect(shown.json?["total"]?.number?.integer == 100)
            let products = try #require(shown.json?["products"]?.array)
            #expect(
                products.map { $0.object?["id"] } == plain.json?["products"]?.array?.map { $0.object?["id"] })
            #expect(shown.text.contains(Self.flour))
            #expect(shown.text.contains(Self.labels))
        }
    }

    @Test("GET /products/{id}?view=display shows that product", arguments: [("p-7", flour), ("p-10", labels)])
    func one(id: String, text: String) async throws {
        try await Stand.with { stand in
            let shown = try await stand.get("/products/\(id)?view=display")
            #expect(shown.text == text)
        }
    }

    @Test("A view has the headers of the plain answer, but for a tag of its own", arguments: ["", "/p-7"])
    func headers(path: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            stand.clock.advance(by: .seconds(4))
            let plain = try await stand.get("/products\(path)")
            let shown = try await stand.get("/products\(path)?view=display")
            let own = Set(["Date", "ETag", "Content-Length"])
            #expect(
                shown.headers.all.filter { !own.contains($0.name) }
                    == plain.headers.all.filter { !own.contains($0.name) })
            #expect(shown.headers["Age"] == "4")
            let tag = try #require(shown.headers["ETag"])
            #expect(tag.hasPrefix("\"") && tag != plain.headers["ETag"])
        }
    }

    @Test("The tag of a view gets a 304 for that view, and for no other", arguments: ["", "/p-7"])
    func notModified(path: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            let (plain, shown) = ("/products\(path)", "/products\(path)?view=display")
            let tag = try #require(try await stand.get(shown).headers["ETag"])
            let known = [HTTPHeader("If-None-Match", tag)]
            let again = try await stand.get(shown, headers: known)
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.headers["ETag"] == tag)
            #expect(again.headers["Cache-Status"] == "larder; hit; ttl=10")
            #expect(try await stand.get(plain, headers: known).status == 200)
            let plainTag = try #require(try await stand.get(plain).headers["ETag"])
            #expect(try await stand.get(shown, headers: [HTTPHeader("If-None-Match", plainTag)]).status == 200)
        }
    }

    @Test("A refresh with the same products keeps the view's tag")
    func unchangedRefresh() async throws {
        try await Stand.with { stand in
            let first = try await stand.get(Self.list)
            stand.clock.advance(by: .seconds(31))
            let second = try await stand.get(Self.list)
            #expect(second.headers["Cache-Status"] == "larder; fwd=stale; stored")
            #expect(second.headers["ETag"] == first.headers["ETag"])
            #expect(second.body == first.body)
        }
    }

    @Test("HEAD has the headers of GET and no body", arguments: ["", "/p-7"])
    func head(path: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            let get = try await stand.get("/products\(path)?view=display")
            let head = try await stand.get("/products\(path)?view=display", method: "HEAD")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.headers["Content-Length"] == "\(get.body.count)")
            #expect(head.headers["ETag"] == get.headers["ETag"])
        }
    }

    @Test(
        "Another view, or more than one, is a 400 problem that says what it may be",
        arguments: [
            ("/products?view=grid", #"query parameter "view" may be "display", not "grid""#),
            (
                "/products/p-7?view=Display",
                #"query parameter "view" may be "display", not "Display"; did you mean "display"?"#
            ),
            ("/products?view=", #"query parameter "view" has no value"#),
            ("/products?view", #"query parameter "view" has no value"#),
            ("/products?view=display&view=display", #"query parameter "view" is given more than once"#),
            (
                "/products/p-7?view=display&x=1",
                #"unknown query parameter "x": this resource takes "fields" and "view""#
            ),
            ("/products/p-999?view=grid", #"query parameter "view" may be "display", not "grid""#),
        ])
    func refused(target: String, detail: String) async throws {
        try await Stand.with { stand in
            let response = try await stand.get(target)
            #expect(response.status == 400)
            #expect(response.headers["Content-Type"] == "application/problem+json")
            #expect(response.headers["Cache-Control"] == "no-store")
            #expect(response.json?["detail"]?.string == detail)
        }
    }

    @Test("What is not there is a 404 problem in any view")
    func notFound() async throws {
        try await Stand.with { stand in
            let response = try await stand.get("/products/p-101?view=display")
            #expect(response.status == 404)
            #expect(response.headers["Content-Type"] == "application/problem+json")
        }
    }

    @Test("Shown while the upstream is down, like the plain answer, and 503 when there is nothing to show")
    func offline() async throws {
        try await Stand.with { stand in
            let first = try await stand.get(Self.list)
            try await stand.shop.fail("status=500")
            stand.clock.advance(by: .seconds(60))
            let offline = try await stand.get(Self.list)
            #expect(offline.status == 200)
            #expect(offline.body == first.body)
            #expect(offline.headers["Age"] == "60")
            stand.clock.advance(by: .seconds(2 * 3600))
            #expect(try await stand.get(Self.list).status == 503)
        }
    }

    @Test("However many ask for a view at once and first, all get the same")
    func manyFirst() async throws {
        try await Stand.with { stand in
            let client = stand.shop.client
            let request = HTTPClientRequest(url: try stand.url(Self.list), limits: .wide)
            let tags = try await withThrowingTaskGroup { group in
                for _ in 0..<32 { group.addTask { try await client.send(request).headers["ETag"] } }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(tags.count == 32)
            #expect(Set(tags).count == 1)
            #expect(tags[0] != nil)
        }
    }
}
