import FoundationEssentials
@testable import Products
import ProductsTestSupport
@testable import Querying
import Testing

@Suite struct CatalogueIndexTests {
    private func sort(_ text: String) throws -> [ProductsSortKey] {
        try parse("sort=\(text)").sort
    }

    @Test(arguments: [0, 1, 63, 64, 65, 2049])
    func `the query for everything is every position once, in catalogue order`(count: Int) throws {
        let index = try makeIndex((0..<count).map { makeListed("\($0)") })
        let page = try index.page(of: ProductsQuery())
        #expect(page == ProductsPage(positions: Array(0..<count), total: count, next: nil))
    }

    @Test(arguments: [
        ("10", "10", ["b", "d"]), ("9.999999999999999999", "10", ["b", "d"]),
        ("10.000000000000000001", "10.01", ["c"]), ("-1", "0", ["a"]), ("11", "99", []),
    ])
    func `both ends of a price range are in it, to the last digit`(least: String, greatest: String, expected: [String])
        throws
    {
        let amounts = ["a": "0", "b": "10", "c": "10.01", "d": "10.00"]
        let index = try makeIndex(
            amounts.sorted { $0.key < $1.key }.map {
                makeListed($0.key, amount: Decimal(string: $0.value) ?? 0, currency: $0.key == "d" ? "JPY" : "EUR")
            })
        let query = ProductsQuery(minPrice: Decimal(string: least), maxPrice: Decimal(string: greatest))
        #expect(try index.ids(query) == expected)
    }

    @Test func `products alike in all keys stay in catalogue order, in either direction`() throws {
        let index = try makeIndex(["c", "a", "b"].map { makeListed($0, sales: $0 == "b" ? 2 : 1) })
        #expect(try index.ids(ProductsQuery(sort: sort("sales"))) == ["c", "a", "b"])
        #expect(try index.ids(ProductsQuery(sort: sort("-sales"))) == ["b", "c", "a"])
        #expect(try index.ids(ProductsQuery(sort: sort("-name,price"))) == ["c", "a", "b"])
    }

    @Test func `ids are sorted as text, names without case and accents`() throws {
        let index = try makeIndex([
            makeListed("10", name: "Äpfel"), makeListed("9", name: "Zimt"), makeListed("a", name: "apfel"),
            makeListed("B", name: "birnen"),
        ])
        #expect(try index.ids(ProductsQuery(sort: sort("id"))) == ["10", "9", "B", "a"])
        #expect(try index.ids(ProductsQuery(sort: sort("name"))) == ["10", "a", "B", "9"])
    }

    @Test(arguments: ["price", "-price"])
    func `a catalogue of more ranks than one pass sorts is sorted by all of them`(key: String) throws {
        let numbers = (0..<5000).map { $0 * 2741 % 5003 }
        let index = try makeIndex(numbers.map { makeListed("\($0)", amount: Decimal($0)) })
        let ascending = numbers.sorted().map { "\($0)" }
        #expect(try index.ids(ProductsQuery(sort: sort(key))) == (key == "price" ? ascending : ascending.reversed()))
    }

    @Test func `a word that a product has twice takes no more room than once`() throws {
        let sizes = try ["mug", "mug mug"].map { name in
            WordIndex(try Catalogue(products: [makeListed("1", name: name)])).byteCount
        }
        #expect(sizes[0] == sizes[1])
    }

    @Test func `many tasks that ask a new index at once get one answer`() async throws {
        let index = try makeIndex((0..<500).map { makeListed("\($0)", name: "Mug \($0 % 7)", sales: $0 % 13) })
        let query = ProductsQuery(text: "mug 3", sort: try sort("-sales,name"))
        let pages = try await withThrowingTaskGroup(of: ProductsPage.self) { group in
            for _ in 0..<16 { group.addTask { try index.page(of: query) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(pages.count == 1)
        #expect(pages.first?.total == 71)
    }

    @Test func `an index that was prepared answers like one that was not`() throws {
        let products = (0..<50).map { makeListed("\($0)", name: "Mug \($0 % 7)", category: $0 % 3 == 0 ? nil : "c") }
        let (lazy, prepared) = (try makeIndex(products), try makeIndex(products))
        prepared.prepare()
        let query = ProductsQuery(categories: ["c"], text: "mug", sort: try sort("category,-name"), limit: 5)
        #expect(try lazy.page(of: query) == prepared.page(of: query))
    }

    @Test func `only the parts that queries of another index needed are prepared`() throws {
        let products = (0..<5).map { makeListed("\($0)") }
        let (queried, next, last) = (try makeIndex(products), try makeIndex(products), try makeIndex(products))
        next.prepare(queried.wantedParts)
        #expect(next.madeParts == 0)
        _ = try queried.page(of: ProductsQuery(types: ["physical"]))
        _ = try queried.page(of: ProductsQuery(sort: sort("name")))
        next.prepare(queried.wantedParts)
        #expect(next.madeParts == 2)
        last.prepare(next.wantedParts)
        #expect(last.madeParts == 0)
        _ = try next.page(of: ProductsQuery(types: ["physical"]))
        last.prepare(next.wantedParts)
        #expect(last.madeParts == 1)
    }
}
