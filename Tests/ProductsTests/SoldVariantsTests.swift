internal import FoundationEssentials
internal import JSON
internal import Testing

@testable internal import Products
internal import ProductsTestSupport

struct SoldVariantsTests {
    private static let sizes =
        #""variants":[{"price":{"amount":20,"currency":"EUR"}},{"price":{"amount":19.99,"currency":"EUR"}},{"sku":"x"}]"#

    private func product(_ members: String) throws -> any Product {
        try decodeProducts(#"[{"type":"physical","id":"1","name":"Mug",\#(members)}]"#)[0]
    }

    @Test func `a product without a price has the least of its variants and their range`() throws {
        let product = try product(Self.sizes)
        let range = #""priceRange":{"min":19.99,"max":20,"currency":"EUR"}"#
        let text = try encode(product)
        #expect(text.hasPrefix(#"{"type":"physical","id":"1","name":"Mug","price":{"amount":19.99,"currency":"EUR"},"#))
        #expect(text.hasSuffix(range + "}"))
        #expect(try encode(decodeProducts("[\(text)]")[0]) == text)
    }

    @Test(arguments: [
        #""price":{"amount":5,"currency":"EUR"},"variants":3"#,
        #""price":{"amount":5,"currency":"EUR"},"variants":["S"],"priceRange":"5 to 6""#,
        #""price":{"amount":5,"currency":"EUR"},"variants":[{"price":"7"}],"priceRange":{"min":5}"#,
    ])
    func `variants of another form are attributes like any other`(members: String) throws {
        let product = try product(members)
        #expect(try encode(product).hasSuffix(members.drop { $0 != "v" }.description + "}"))
        #expect(product.variant.display(isPopular: false).priceLabel == "5.00 EUR")
    }

    @Test(arguments: [
        (
            #""variants":[{"price":{"amount":1,"currency":"EUR"}},{"price":{"amount":2,"currency":"USD"}}]"#,
            "prices in EUR and USD"
        ),
        (#""variants":[{"price":{"amount":"x","currency":"EUR"}}]"#, "variants[0].price.amount"),
        (#""variants":[{"price":5}]"#, "variants[0].price"),
        (#""variants":[7]"#, "variants[0]: expected an object"),
        (#""variants":[{"sku":"x"}]"#, "price: missing"),
        (#""price":{"currency":"USD"},"variants":[{"price":{"amount":1,"currency":"EUR"}}]"#, "prices in USD and EUR"),
    ])
    func `without a price in one currency it is bad`(members: String, problem: String) throws {
        #expect {
            try product(members)
        } throws: { error in
            "\(error)".contains(problem)
        }
    }

    @Test func `a shop's page shows the least price, and a choice`() throws {
        let display = try product(Self.sizes).variant.display(isPopular: false)
        #expect(display.priceLabel == "from 19.99 EUR")
        #expect(!display.isSelectable)
        let single = try product(#""variants":[{"price":{"amount":5,"currency":"EUR"}}]"#).variant.display(
            isPopular: false)
        #expect(single.priceLabel == "5.00 EUR")
        #expect(single.isSelectable)
    }

    @Test func `another price that is laid over it takes the range away`() throws {
        let base = try Catalogue(products: [product(Self.sizes)])
        let entry = #"[{"type":"physical","id":"1","name":"","price":{"amount":1,"currency":"EUR"},"sales":0}]"#
        let laid = try MemberOverlay(["price"]).laid(Catalogue(encoded: Array(entry.utf8)), over: base, as: .laid)
            .catalogue
        #expect(laid.products.first?.price.amount == 1)
        #expect(laid.products.first?.attributes["priceRange"] == nil)
        #expect(laid.products.first?.attributes["variants"] != nil)
        let stock = try MemberOverlay(["stock"]).laid(Catalogue(encoded: Array(entry.utf8)), over: base, as: .laid)
            .catalogue
        #expect(stock.products.first?.attributes["priceRange"] != nil)
    }
}
