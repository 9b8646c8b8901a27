import JSON
import Networking
import ServingTestSupport
import TestSupport
import Testing

/// The plain list, one product, and the display view of both.
@Suite(.timeLimit(.minutes(1)))
struct ProductsRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    private static let display = "/products?view=display"
    private static let flour =
        #"{"id":"p-7","type":"physical","title":"Rye flour (lot 7)","subtitle":"weight 1.01","#
        + #""priceLabel":"3.58 EUR","badge":"Popular","selectable":true}"#
    private static let labels =
        #"{"id":"p-10","type":"digital","title":"Jam labels (lot 10)","subtitle":"40 KiB","#
        + #""priceLabel":"4.69 EUR","badge":"Popular","selectable":true}"#

    @Test func `GET /products is the whole catalogue with the fields that caches need`() async throws {
        _ = try await service.warm()
        service.clock.advance(by: .seconds(4))
        let response = try await service.get("/products")
        #expect(response.status == 200)
        let products = try #require(response.json?["products"]?.array)
        #expect(products.count == 100)
        #expect(response.json?["total"] == 100)
        for product in products {
            let sales = try #require(product.object?["sales"]?.number?.integer)
            #expect(product.object?["isPopular"]?.bool == (sales > 100))
        }
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers.catalogueAge == "4")
        #expect(response.headers.cacheStatus == "larder; hit; ttl=6")
        #expect(response.headers["Last-Modified"] == "Fri, 15 Jan 2027 08:00:00 GMT")
        #expect(
            response.headers["Cache-Control"] == "public, max-age=5, stale-while-revalidate=21, stale-if-error=3601")
        #expect(response.headers["X-Accel-Expires"] == nil && response.headers["Age"] == nil)
    }

    @Test func `GET /products/{id} is the product's part of the list`() async throws {
        let list = try await service.warm()
        let product = try await service.get("/products/p-7")
        #expect(product.status == 200)
        #expect(product.json?["id"] == "p-7")
        #expect(list.text.contains(product.text))
        #expect(product.headers["ETag"] != list.headers["ETag"])
        #expect(product.headers.cacheStatus == "larder; hit; ttl=10")
        #expect(try await service.get("/products/p%2D7").body == product.body)
    }

    @Test func `the display view shows the whole catalogue in its order, or one product`() async throws {
        let plain = try await service.ask("/products")
        let shown = try await service.ask(Self.display)
        #expect(shown.response.status == 200)
        #expect(shown.total == 100)
        #expect(shown.ids == plain.ids)
        #expect(shown.response.text.contains(Self.flour) && shown.response.text.contains(Self.labels))
        #expect(try await service.get("/products/p-7?view=display").text == Self.flour)
        #expect(try await service.get("/products/p-10?view=display").text == Self.labels)
    }

    @Test(arguments: ["/products/p-101", "/products/p-101?view=display", "/nowhere", "/products/", "/"])
    func `an unknown path is a 404 problem`(target: String) async throws {
        let response = try await service.get(target)
        #expect(response.isProblem(404))
        #expect(response.json?["title"] == "Not Found")
    }

    @Test(arguments: [
        "/products?view=display", "/products/p-7?view=display", "/products?type=digital",
        "/products?limit=3&sort=-name", "/products/p-7?fields=name",
    ])
    func `every representation has the fields of the plain list and a tag of its own`(target: String) async throws {
        _ = try await service.warm()
        service.clock.advance(by: .seconds(4))
        let whole = try await service.get("/products")
        let other = try await service.get(target)
        let own = Set(["ETag", "Link"])
        #expect(other.headers.all.filter { !own.contains($0.name) } == whole.headers.all.filter { $0.name != "ETag" })
        #expect(other.headers.catalogueAge == "4")
        let (tag, plainTag) = (try #require(other.headers["ETag"]), try #require(whole.headers["ETag"]))
        #expect(tag.hasPrefix("\"") && tag != plainTag)
        #expect(try await service.get("/products", ["If-None-Match": tag]).status == 200)
        #expect(try await service.get(target, ["If-None-Match": plainTag]).status == 200)
        let again = try await service.get(target, ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        for name in ["ETag", "Cache-Control", "Cache-Status", "Last-Modified", "Link"] {
            #expect(again.headers[name] == other.headers[name])
        }
    }

    @Test(arguments: ["/products", "/products?view=display", "/products?type=digital&sort=-id"])
    func `a refresh with the same products keeps tag and body`(target: String) async throws {
        let first = try await service.get(target)
        service.clock.advance(by: .seconds(31))
        let second = try await service.get(target)
        #expect(second.headers.cacheStatus == "larder; fwd=stale; stored")
        #expect(second.headers.catalogueAge == "0")
        #expect(second.headers["ETag"] == first.headers["ETag"])
        #expect(second.body == first.body)
        #expect(service.shop.asked == 2)
    }

    @Test func `within stale-while-revalidate the old answer comes at once, with one refresh behind it`() async throws {
        _ = try await service.warm()
        service.clock.advance(by: .seconds(15))
        let stale = try await service.get("/products")
        #expect(stale.headers.cacheStatus == "larder; hit; ttl=-5")
        #expect(stale.headers.catalogueAge == "15")
        try await eventually { try await service.get("/products").headers.catalogueAge == "0" }
        #expect(service.shop.asked == 2)
    }

    @Test func `queries and views are answered while the upstream is down, until stale_if_error ends`() async throws {
        let shown = try await service.get(Self.display)
        let page = try await service.ask("/products?limit=3&type=digital")
        service.shop.fail()
        service.clock.advance(by: .seconds(60))
        let offline = try await service.get(Self.display)
        #expect(offline.status == 200)
        #expect(offline.body == shown.body)
        #expect(offline.headers.catalogueAge == "60")
        let next = try await service.ask(try #require(page.target(ofLink: "next")))
        #expect(next.response.status == 200)
        #expect(next.ids == ["p-20", "p-25", "p-30"])
        #expect(next.response.headers.catalogueAge == "60")
        service.clock.advance(by: .seconds(2 * 3600))
        #expect(try await service.get(Self.display).status == 503)
    }

    @Test func `concurrent first requests share one fetch and one encoding`() async throws {
        let tags = try await withThrowingTaskGroup { group in
            for _ in 0..<32 { group.addTask { try await service.get(Self.display).headers["ETag"] } }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(tags.count == 32)
        #expect(Set(tags).count == 1 && tags[0] != nil)
        #expect(service.shop.asked == 1)
    }
}
