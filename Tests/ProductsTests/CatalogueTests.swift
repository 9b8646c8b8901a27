import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
import Querying
import Testing
import TestSupport

@Suite struct CatalogueTests {
    private func makeCatalogue(_ count: Int = 5, amount: Decimal = 1) throws -> Catalogue {
        try Catalogue(products: (0..<count).map { makeProduct(id: "p\($0)", amount: amount, sales: $0 * 50) })
    }

    @Test func `ranges cut the encoding into its products`() throws {
        let catalogue = try makeCatalogue()
        let texts = catalogue.ranges.map { String(decoding: catalogue.encoded[$0], as: UTF8.self) }
        #expect(texts == (try catalogue.products.map(encode)))
        #expect(String(decoding: catalogue.encoded, as: UTF8.self) == "[\(texts.joined(separator: ","))]")
    }

    @Test func `an empty catalogue is an empty array`() throws {
        let catalogue = try Catalogue(products: [])
        #expect(String(decoding: catalogue.encoded, as: UTF8.self) == "[]")
        #expect(catalogue.digest == "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945")
        #expect(catalogue.revision == "4f53cda18c2baa0c0354bb5f9a3ecbe5")
    }

    @Test func `equal products have equal revisions however they were written`() throws {
        let one = #"{"type":"physical","id":"1","name":"é","price":{"amount":19.90,"currency":"EUR"},"sales":5}"#
        let other =
            #"{ "sales":5.0, "price":{"currency":"EUR","amount":"19.9"}, "name":"\u00e9", "id":1, "type":"physical" }"#
        let first = try Catalogue(products: decodeProducts("[\(one)]"))
        let second = try Catalogue(products: decodeProducts("[\(other)]"))
        #expect(first.revision == second.revision)
        let third = try Catalogue(products: decodeProducts("[\(one.replacing("19.90", with: "19.91"))]"))
        #expect(first.revision != third.revision)
    }

    @Test func `order counts for the revision`() throws {
        let products = [makeProduct(id: "1"), makeProduct(id: "2")]
        #expect(try Catalogue(products: products).revision != Catalogue(products: products.reversed()).revision)
    }

    @Test func `the encoding decodes to the same catalogue`() throws {
        let catalogue = try makeCatalogue()
        let again = try Catalogue(encoded: catalogue.encoded)
        #expect(again.digest == catalogue.digest)
        #expect(again.ranges == catalogue.ranges)
        #expect(try Catalogue(products: Array(again.products)).encoded == catalogue.encoded)
        #expect(
            throws: ProductsFailure.malformed(
                detail: "invalid JSON at line 1, column 1: expected an array, found \"{\"")
        ) {
            try Catalogue(encoded: Array(#"{"products":[]}"#.utf8))
        }
    }

    /// A version must not take bytes as they are that another one wrote in another form: a change here takes another number.
    @Test func `the form has a number for these members`() {
        let members = ProductKind.allCases.map { kind in ([kind.rawValue] + kind.members.map(\.name)) }
        #expect(
            members == [
                ["physical", "weight", "dimensions"], ["digital", "downloadURL", "size"],
                ["subscription", "interval", "trialDays"], ["bundle", "products", "addOn"],
                ["giftCard", "denominations"],
            ])
        let common = ["id", "name", "price", "sales", "description", "imageURL", "category", "isPopular"]
        #expect(ProductDetails.members.map(\.name) == common)
        #expect(Catalogue.form == 1)
    }

    @Test func `products are found by ID`() throws {
        let catalogue = try makeCatalogue()
        #expect(catalogue.position(ofID: "p3") == 3)
        #expect(catalogue.products[3].sales == 150)
        #expect(catalogue.position(ofID: "p9") == nil)
    }

    @Test func `one ID for two products is refused with both positions`() {
        let products = ["a", "b", "c", "b"].map { makeProduct(id: $0) }
        #expect(throws: ProductsFailure.refused(.duplicateID("b", first: 1, second: 3))) {
            try Catalogue(products: products)
        }
    }

    @Test func `composed and decomposed accents are one ID`() throws {
        let catalogue = try Catalogue(
            products: ["a", "e\u{301}\n\"", "\u{AC00}", "K1"].map { makeProduct(id: $0) })
        #expect(catalogue.position(ofID: "\u{E9}\n\"") == 1)
        #expect(catalogue.position(ofID: "\u{1100}\u{1161}") == 2)
        #expect(catalogue.position(ofID: "\u{212A}1") == 3)
        #expect(catalogue.position(ofID: "\u{E8}\n\"") == nil)
        #expect(throws: ProductsFailure.refused(.duplicateID("e\u{301}", first: 0, second: 1))) {
            try Catalogue(products: ["\u{E9}", "e\u{301}"].map { makeProduct(id: $0) })
        }
    }

    @Test func `a price that is not a number is never written`() {
        let products = [makeProduct(id: "a"), makeProduct(id: "b", amount: .nan)]
        #expect(
            throws: ProductsFailure.malformed(
                detail: "product [1] cannot be written: price.amount: NaN is not a number")
        ) {
            try Catalogue(products: products)
        }
    }

    @Test func `its end is told once to each who wants to know, at once to those who ask too late`() throws {
        var catalogue: Catalogue? = try makeCatalogue(1)
        let lifetime = try #require(catalogue).lifetime
        let told = Observed(0)
        for _ in 0..<2 { lifetime.whenOver { told.update { $0 += 1 } } }
        #expect(!lifetime.isOver)
        #expect(told.value == 0)
        catalogue = nil
        #expect(lifetime.isOver)
        #expect(told.value == 2)
        lifetime.whenOver { told.update { $0 += 1 } }
        #expect(told.value == 3)
    }

    @Test func `what shares its contents does not prolong it, and has them after its end`() throws {
        var catalogue: Catalogue? = try makeCatalogue(1)
        weak let remembered = catalogue
        let share = Catalogue(sharing: try #require(catalogue))
        let index = CatalogueIndex(share, ProductsUseCase.marked(share, by: PopularityRule()).marks)
        #expect(share.revision == catalogue?.revision)
        #expect(share.encoded == catalogue?.encoded)
        catalogue = nil
        #expect(remembered == nil)
        #expect(share.position(ofID: "p0") == 0)
        #expect(share.products.count == 1)
        #expect(try index.page(of: ProductsQuery(ids: ["p0"])).positions == [0])
        #expect(!share.lifetime.isOver)
    }
}
