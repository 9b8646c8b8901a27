import Products
import ProductsTestSupport
import Querying
import Testing
import TestSupport

@Suite struct PageCursorTests {
    private let cursor = PageCursor(skipping: 40, of: ProductsQuery(popular: true), revision: "r1")

    @Test(arguments: [0, 1, 255, 256, 49_999, 1 << 40])
    func `a cursor comes back from its text`(skipped: Int) throws {
        let cursor = PageCursor(skipping: skipped, of: ProductsQuery(), revision: "r1")
        let again = try PageCursor(text: cursor.text)
        #expect(again == cursor)
        #expect(try again.position(in: ProductsQuery(), revision: "r1") == skipped)
        let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(letters.isSuperset(of: cursor.text))
    }

    @Test(arguments: [-1, .min, .max])
    func `a place that no catalogue has is brought to the nearest that a cursor can hold`(skipped: Int) throws {
        let cursor = PageCursor(skipping: skipped, of: ProductsQuery(), revision: "r1")
        #expect(try PageCursor(text: cursor.text) == cursor)
        let page = try makeIndex([makeListed("1")]).revisited(by: skipped)
        #expect(page.positions.isEmpty == (skipped > 0))
        #expect(page.next == nil)
    }

    @Test func `a cursor is of one query, but for length, members and view`() throws {
        var query = ProductsQuery(popular: true, limit: 9, fields: ProductFields(["name"]), view: .display)
        #expect(try cursor.position(in: query, revision: "r1") == 40)
        query.sort = [ProductsSortKey(.price)]
        #expect(throws: PageCursorProblem.ofAnotherQuery) { try cursor.position(in: query, revision: "r1") }
        #expect(throws: PageCursorProblem.ofAnotherQuery) { try cursor.position(in: query, revision: "r2") }
    }

    @Test func `a cursor is of one revision`() throws {
        let query = ProductsQuery(popular: true)
        #expect(throws: PageCursorProblem.ofAnotherRevision) { try cursor.position(in: query, revision: "r2") }
    }

    @Test func `a page is cut from the catalogue and the rule that its cursor came from`() throws {
        let products = (0..<3).map { makeListed("\($0)") }
        var query = ProductsQuery(limit: 2)
        query.cursor = try makeIndex(products).page(of: query).next
        #expect(try makeIndex(products).ids(query) == ["2"])
        #expect(throws: PageCursorProblem.ofAnotherRevision) { try makeIndex(products, salesOver: 5).page(of: query) }
        #expect(throws: PageCursorProblem.ofAnotherRevision) {
            try makeIndex(products + [makeListed("3")]).page(of: query)
        }
        query.types = ["physical"]
        #expect(throws: PageCursorProblem.ofAnotherQuery) { try makeIndex(products).page(of: query) }
    }

    @Test func `each filter and the order make another query, however their values could be joined`() throws {
        let queries = [
            "popular=true", "popular=false", "type=a,b", #"type=a\,b"#, "category=a,b", "ids=a,b", "q=a b", "q=ab",
            "min_price=1", "max_price=1", "min_price=10", "sort=id", "sort=-id", "sort=id,name", "sort=name,id",
        ]
        let texts = try queries.map { PageCursor(skipping: 1, of: try parse($0), revision: "r").text }
        #expect(Set(texts).count == queries.count)
        let alike = ["type=a,b&q=x Y&min_price=1.0", "q=Y X&type=b,a,b&min_price=1&limit=5&fields=name"]
        #expect(Set(try alike.map { PageCursor(skipping: 1, of: try parse($0), revision: "r").text }).count == 1)
    }

    @Test func `a text with any one character changed, left out or put in is malformed`() throws {
        let text = Array(cursor.text)
        for index in text.indices {
            var (changed, shorter, longer) = (text, text, text)
            changed[index] = text[index] == "A" ? "B" : "A"
            shorter.remove(at: index)
            longer.insert("A", at: index)
            for tampered in [changed, shorter, longer] {
                #expect(throws: PageCursorProblem.malformed) { try PageCursor(text: String(tampered)) }
            }
        }
    }

    @Test(arguments: 0..<50)
    func `no bytes are taken for a cursor, whatever their length and alphabet`(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ABCxyz019-_".utf8)
        for length in 0..<80 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let near = (0..<36).map { _ in random.pick(random.chance(99) ? alphabet : Array("+/= ~é".utf8)) }
            for text in [String(decoding: bytes, as: UTF8.self), String(decoding: near, as: UTF8.self)] {
                #expect(throws: PageCursorProblem.malformed) { try PageCursor(text: text) }
            }
        }
    }
}

extension CatalogueIndex {
    /// The page of everything after so many products.
    fileprivate func revisited(by skipped: Int) throws -> ProductsPage {
        try page(of: ProductsQuery(cursor: PageCursor(skipping: skipped, of: ProductsQuery(), revision: revision)))
    }
}
