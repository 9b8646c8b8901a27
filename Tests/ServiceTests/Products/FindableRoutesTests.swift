import FoundationEssentials
import JSON
import Networking
import Products
import ServingTestSupport
import TestSupport
import Testing

/// A bookshop whose config declares keys, attributes and a tree of categories.
@Suite(.timeLimit(.minutes(1)))
struct FindableRoutesTests {
    private static let catalogue = """
        catalogue:
          keys: { isbn: isbn, sku: [sku, "variants.*.sku"] }
          attributes:
            author: author
            cover: variants.*.options.cover
            stock: { path: stock, type: number }
            in_stock: { path: stock, type: boolean, above: 0 }
            price_band: { path: price.amount, bands: [10, 25] }
          search: [name, author]
          categories: { separator: " > " }
        """
    private static let books = [
        book("b1", "Moby-Dick", "9.99", "Herman Melville", #""9780142437247""#, "3", #""Fiction > Classics""#),
        book(
            "b2", "Émile", "24", "Jean-Jacques Rousseau", #""9780140445633""#, "0",
            #"["Philosophy","Fiction > Classics"]"#),
        book(
            "b3", "Bartleby", "25", "herman melville", #""978-0""#, "12", #""Fiction""#,
            #","variants":[{"id":"v1","sku":"B3-P","options":{"cover":"Paper"}},{"id":"v2","sku":"B3-H","options":{"cover":"Hard"}}]"#
        ),
    ]
    private let service: InMemoryService

    init() throws {
        service = try InMemoryService(sections: Self.catalogue)
        try Self.fill(service, Self.books)
    }

    private static func fill(_ service: InMemoryService, _ items: [String]) throws {
        let catalogue = try Catalogue(
            NativeCatalogueDecoder().decode(Array("[\(items.joined(separator: ","))]".utf8)))
        service.shop.outcome = .success(makeAnswer(catalogue, fetchedAt: service.clock.now))
    }

    private static func book(
        _ id: String, _ name: String, _ amount: String, _ author: String, _ isbn: String, _ stock: String,
        _ category: String,
        _ more: String = ""
    ) -> String {
        #"{"type":"physical","id":"\#(id)","name":"\#(name)","price":{"amount":\#(amount),"currency":"EUR"},"#
            + #""category":\#(category),"author":"\#(author)","isbn":\#(isbn),"stock":\#(stock)\#(more)}"#
    }

    @Test(
        arguments: [
            ("isbn=9780140445633", ["b2"]), ("isbn=none", []), ("sku=B3-H", ["b3"]),
            ("author=HERMAN%20MELVILLE", ["b1", "b3"]), ("author!=Herman+Melville", ["b2"]),
            ("author=herman+melville&in_stock=true&stock_min=4", ["b3"]), ("stock_max=3", ["b1", "b2"]),
            ("stock=3.0", ["b1"]),
            ("in_stock!=true", ["b2"]), ("stock_min=4&stock_max=13", ["b3"]), ("price_band=10..25", ["b2"]),
            ("price_band=..10,25..", ["b1", "b3"]), ("cover=hard", ["b3"]),
            ("sort=-stock", ["b3", "b1", "b2"]), ("sort=author,-stock", ["b3", "b1", "b2"]),
            ("q=melville", ["b1", "b3"]),
            ("q=classics", []), ("category=Fiction", ["b1", "b2", "b3"]), ("category=Classics", ["b1", "b2"]),
            ("category=Fiction%20%3E%20Classics", ["b1", "b2"]),
        ] as [(String, [String])])
    func `keys, attributes, bands and categories find their products`(query: String, ids: [String]) async throws {
        let answer = try await service.ask("/products?\(query)")
        #expect(answer.response.status == 200)
        #expect(answer.ids == ids)
        #expect(answer.total == ids.count)
    }

    @Test func `a product is found at the path of its key, with the variant that has it`() async throws {
        let product = try await service.get("/products/b3")
        let found = try await service.get("/products/by/sku/B3-H")
        #expect(found.body == product.body && found.headers["ETag"] == product.headers["ETag"])
        #expect(found.headers["Larder-Variant"] == "v2")
        let own = try await service.get("/products/by/isbn/978-0")
        #expect(own.body == product.body && own.headers["Larder-Variant"] == nil)
        #expect(try await service.ask("/products?sku=B3-P").response.json?["variant"] == "v1")
        for missing in ["/products/by/sku/none", "/products/by/ean/978-0", "/products/by/isbn/"] {
            #expect(try await service.get(missing).isProblem(404), "\(missing)")
        }
        let tag = try #require(found.headers["ETag"])
        #expect(try await service.get("/products/by/sku/B3-H", ["If-None-Match": tag]).status == 304)
        let part = try await service.get("/products/by/sku/B3-H?fields=name")
        #expect(part.json?.keys.sorted() == ["id", "name", "type"])
        #expect(try await service.get("/products/by/sku/B3-H?sku=x").isProblem(400))
    }

    @Test func `facets count the products that pass the filters by other members`() async throws {
        let answer = try await service.ask(
            "/products?author=herman+melville&in_stock=true&facets=author,in_stock,category,price_band,type&limit=0")
        #expect(answer.ids.isEmpty && answer.total == 2 && answer.next == nil)
        let facets = try #require(answer.response.json?["facets"]?.object)
        #expect(facets.keys == ["author", "in_stock", "category", "price_band", "type"])
        #expect(facets["author"]?.encodedText == #"[{"value":"Herman Melville","count":2}]"#)
        #expect(facets["in_stock"]?.encodedText == #"[{"value":true,"count":2}]"#)
        #expect(
            facets["category"]?.encodedText
                == #"[{"value":"Fiction","count":2},{"value":"Fiction > Classics","count":1}]"#)
        #expect(facets["price_band"]?.encodedText == #"[{"value":"..10","count":1},{"value":"25..","count":1}]"#)
        #expect(facets["type"]?.encodedText == #"[{"value":"physical","count":2}]"#)
        let first = try await service.ask("/products?facets=category&facet_limit=1&limit=1")
        #expect(first.response.json?["facets"]?.object?["category"]?.array?.count == 1)
        #expect(first.next != nil)
    }

    @Test func `categories are a tree with counts`() async throws {
        let tree = try await service.get("/categories")
        #expect(
            tree.text
                == #"{"categories":[{"name":"Fiction","path":["Fiction"],"count":3,"categories":[{"name":"Classics","path":["Fiction","Classics"],"count":2}]},{"name":"Philosophy","path":["Philosophy"],"count":1}]}"#
        )
        #expect(tree.headers["Cache-Status"] != nil && tree.headers["ETag"] != nil)
        let below = try await service.get("/categories?under=Fiction&depth=1")
        #expect(below.text == #"{"categories":[{"name":"Classics","path":["Fiction","Classics"],"count":2}]}"#)
        let tag = try #require(tree.headers["ETag"])
        #expect(try await service.get("/categories", ["If-None-Match": tag]).status == 304)
        for wrong in ["?depth=0", "?depth=x", "?under=", "?limit=1"] {
            #expect(try await service.get("/categories\(wrong)").isProblem(400), "\(wrong)")
        }
    }

    @Test func `only matching variants are left where that is wanted`() async throws {
        let answer = try await service.ask("/products?cover=hard&variants=matching&fields=variants")
        #expect(answer.products.first?.object?["variants"]?.array?.count == 1)
        let whole = try await service.ask("/products?cover=hard")
        #expect(whole.products.first?.object?["variants"]?.array?.count == 2)
    }

    @Test(arguments: [
        ("authr=x", "did you mean \"author\"?"), ("in_stock=maybe", "may be \"true\" or \"false\""),
        ("stock_min=many", "must be a decimal number"), ("price_band=10-25", "\"10..25\""),
        ("facets=colour", "\"author\""),
        ("sort=colour", "\"-author\""), ("limit=0", "from 1 to"), ("isbn=1&isbn=2", "more than once"),
        ("facet_limit=0", "from 1 to 1000"), ("author_min=x", "unknown query parameter"),
    ])
    func `a wrong parameter is named with what is right`(query: String, words: String) async throws {
        let answer = try await service.get("/products?\(query)")
        #expect(answer.isProblem(400))
        #expect(answer.json?["detail"]?.string?.contains(words) == true, "\(answer.text)")
    }

    @Test func `values that do not fit and keys of several products are troubles, until they are mended`() async throws
    {
        try Self.fill(
            service,
            Self.books + [Self.book("b4", "Copy", "1", "X", #""978-0""#, #""many""#, #""Fiction""#)])
        _ = try await service.warm()
        func verbose() async throws -> String { try await service.get("/readyz?verbose", admin: true).text }
        await service.log.wait(for: "warning: a declared member does not fit the catalogue", count: 3)
        let report = try await verbose()
        #expect(
            report.contains(#"attribute "stock" (stock): 1 values are not of its type, the first in product "b4""#),
            "\(report)")
        #expect(
            report.contains(
                #"key "isbn" (isbn): 1 products or variants have a value of another one, first "978-0" of "b3" and "b4""#
            ))
        try Self.fill(service, Self.books)
        service.clock.advance(by: .seconds(3600))
        _ = try await service.warm()
        let end = "a declared member fits the catalogue again"
        await service.log.wait(for: "notice: \(end)", count: 3)
        let mended = service.log.seenLines.filter { $0.message == end }.compactMap { $0.metadata["name"] }
        #expect(mended.contains("isbn") && mended.contains("stock"), "\(mended)")
        #expect(try await !verbose().contains("index"))
    }
}

extension JSONValue {
    fileprivate var encodedText: String { String(decoding: encoded(), as: UTF8.self) }
}
