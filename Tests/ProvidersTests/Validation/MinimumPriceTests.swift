internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Decoding
@testable internal import Providers

/// The least price, in the gate and in a mapping.
@Suite(.timeLimit(.minutes(1)))
struct MinimumPriceTests {
    private static let rules = CatalogueRules(minimumPrice: MinimumPrice("0.01"))

    /// What the gate says of products in Larder's own form.
    private func problem(_ items: String..., rules: CatalogueRules = rules) throws -> String? {
        let document = Array("[\(items.joined(separator: ","))]".utf8)
        do {
            try rules.check(Catalogue(NativeCatalogueDecoder().decode(document)), replacing: nil)
            return nil
        } catch ProductsFailure.refused(let reason, _) {
            return "\(reason)"
        }
    }

    private func item(_ type: String, _ amount: String, _ members: String = "", id: String = "a") -> String {
        #"{"type":"\#(type)","id":"\#(id)","name":"x","price":{"amount":\#(amount),"currency":"EUR"}\#(members)}"#
    }

    @Test(arguments: [
        ("0", "0"), ("0.00", "0"), ("0.009999", "0.009999"), ("0.0099999999", "0.0099999999"), ("1e-3", "0.001"),
        ("\"0\"", "0"),
    ])
    func `a price below the minimum refuses the catalogue, and product and price are named`(
        amount: String, shown: String
    ) throws {
        #expect(
            try problem(item("physical", "1"), item("digital", amount, id: "b"))
                == "product [1], id \"b\", has price.amount \(shown) EUR, below the minimum, 0.01")
    }

    @Test(arguments: ["0.01", "0.010", "0.0100000001", "1", "1e12", "123456789012345678"])
    func `a price at the minimum passes`(amount: String) throws {
        #expect(try problem(item("physical", amount)) == nil)
    }

    @Test func `without a minimum a product may cost nothing`() throws {
        #expect(try problem(item("physical", "0"), rules: CatalogueRules()) == nil)
    }

    @Test func `a negative price is refused as such`() throws {
        #expect(try problem(item("physical", "-1"))?.hasSuffix("has a negative price") == true)
    }

    @Test func `a bundle counts by its own price, not by what it holds`() throws {
        let gift = item("physical", "0", id: "gift")
        #expect(try problem(item("bundle", "5", #","products":[\#(gift)],"addOn":\#(gift)"#)) == nil)
        #expect(try problem(item("bundle", "0", #","products":[\#(item("physical", "5", id: "b"))]"#)) != nil)
    }

    @Test func `a gift card is sold at its denominations, and without any at its price`() throws {
        #expect(try problem(item("giftCard", "0", #","denominations":[10,25]"#)) == nil)
        #expect(
            try problem(item("giftCard", "5", #","denominations":[10,0]"#))?
                .hasSuffix("has denominations[1] 0 EUR, below the minimum, 0.01") == true)
        #expect(try problem(item("giftCard", "0", #","denominations":[]"#)) != nil)
    }

    @Test func `each variant counts`() throws {
        let variants = """
            ,"variants":[{"price":{"amount":5,"currency":"EUR"}},{"sku":"x"},{"price":{"amount":"0","currency":"EUR"}}]
            """
        #expect(
            try problem(item("physical", "5", variants))?
                .hasSuffix("has variants[2].price.amount 0 EUR, below the minimum, 0.01") == true)
        #expect(try problem(item("physical", "5", #","variants":["S","M"]"#)) == nil)
    }

    @Test(arguments: ["", "0", "-1", "x", "1,5", "0.0000001", "1e13"])
    func `what is no minimum is refused`(text: String) { #expect(MinimumPrice(text) == nil) }

    @Test func `after a reload all products are checked, also those that passed before`() async throws {
        func document(_ name: String) -> [UInt8] {
            Array("[\(item("physical", "0")),\(item("physical", "1", id: name))]".utf8)
        }
        let decoder = NativeCatalogueDecoder()
        let first = try decoder.decode(document("b"))
        let old = try Catalogue(first)
        let next = try Catalogue(decoder.decode(document("c"), knowing: KnownProducts(old, from: first)))
        func upstream(_ catalogue: Catalogue) -> ScriptedProvider {
            ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot().with(catalogue)) }
        }
        let baseline = CatalogueBaseline()
        _ = try await ValidatedProductsProviderDecorator(upstream: upstream(old), baseline: baseline).ask()
        let stricter = ValidatedProductsProviderDecorator(
            upstream: upstream(next), rules: Self.rules, baseline: CatalogueBaseline(following: baseline))
        await #expect(throws: ProductsFailure.self) { try await stricter.ask() }
    }

    private static let mapping =
        "type: physical, fields: { price.amount: { path: cents, scale: 2 } }, constants: { name: x, price.currency: EUR }"
    private static let document =
        #"[{"id":1,"cents":0},{"id":2,"cents":1},{"id":3,"variants":[{"price":{"amount":0,"currency":"EUR"}}]}]"#

    @Test func `an item below the minimum of a mapping is bad, and left out where bad ones are`() throws {
        let mapping = "\(Self.mapping), minimum_price: 0.01"
        #expect(
            try mappedProblem(Self.document, "{ \(mapping) }")
                == "[0].price.amount (theirs: cents): 0 is below \"minimum_price\", 0.01")
        let decoded = try decodeMapped(Self.document, "{ \(mapping), on_bad_item: skip }")
        #expect(decoded.products.map(\.id) == ["2"])
        #expect(
            decoded.skipped.map(\.reason) == [
                "[0].price.amount (theirs: cents): 0 is below \"minimum_price\", 0.01; its id is \"1\"",
                "[2].variants[0].price.amount: 0 is below \"minimum_price\", 0.01; its id is \"3\"",
            ])
        #expect(try decodeMapped(Self.document, "{ \(Self.mapping) }").products.count == 3)
    }

    @Test func `a mapping of items in Larder's own form has a minimum too`() throws {
        let text = "[\(item("physical", "0")),\(item("physical", "1", id: "b"))]"
        #expect(try decodeMapped(text, "{ minimum_price: 1, on_bad_item: skip }").products.map(\.id) == ["b"])
        #expect(try mappedProblem(text, "{ minimum_price: 1 }") != nil)
    }
}
