internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

/// What Larder's own form and a mapping make of null, currencies and HTML.
struct ValuesOfBothFormsTests {
    private static let mapping = """
        { type: physical, fields: { name: title, price.amount: p, price.currency: c, sales: sold, description: text, \
        imageURL: picture, category: tag } }
        """

    /// The product of an item in our own form, or of the same values under other names.
    private func product(
        _ isMapped: Bool, price: String = "5", currency: String = "EUR", name: String = "Cup",
        description: String? = nil
    ) throws -> any Product {
        try #require(
            try catalogue(isMapped, price: price, currency: currency, name: name, description: description).products
                .first)
    }

    private func catalogue(
        _ isMapped: Bool, price: String = "5", currency: String = "EUR", name: String = "Cup",
        description: String? = nil
    ) throws -> Catalogue {
        func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        let title = quoted(name.isEmpty ? nil : name)
        let text =
            isMapped
            ? #"""
            [{"id":1,"title":\#(title),"p":\#(price),"c":"\#(currency)","sold":null,"text":\#(quoted(description)),
            "picture":null,"tag":null,"weight":null,"dimensions":null}]
            """#
            : #"""
            [{"type":"physical","id":"1","name":\#(title),"price":{"amount":\#(price),"currency":"\#(currency)"},
            "sales":null,"description":\#(quoted(description)),"imageURL":null,"category":null,"weight":null,
            "dimensions":null}]
            """#
        let decoded =
            isMapped ? try decodeMapped(text, Self.mapping) : try NativeCatalogueDecoder().decode(Array(text.utf8))
        return try Catalogue(decoded)
    }

    @Test(arguments: [true, false])
    func `null counts as absent`(isMapped: Bool) throws {
        let product = try product(isMapped)
        #expect(product.sales == 0 && product.description == nil && product.category == nil)
        let encoded = try catalogue(isMapped).encoded
        #expect(!String(decoding: encoded, as: UTF8.self).contains("null"))
    }

    @Test(arguments: [true, false])
    func `null in place of a required member is refused by the member's name`(isMapped: Bool) {
        func problem(_ body: () throws -> any Product) -> String? {
            do { _ = try body() } catch { return "\(error)" }
            return nil
        }
        #expect(problem { try product(isMapped, name: "") }?.contains("[0].name") == true)
        #expect(problem { try product(isMapped, price: "null") }?.contains("[0].price.amount") == true)
    }

    @Test(arguments: [true, false], ["eur", "Eur", "EUR"])
    func `a currency is in capitals`(isMapped: Bool, currency: String) throws {
        #expect(try product(isMapped, currency: currency).price.currency == "EUR")
        #expect(try catalogue(isMapped, currency: currency).text(at: 0).currency == "EUR")
    }

    @Test func `a text that is no currency stays for the gate in our own form, and is refused in a mapped one`() throws
    {
        #expect(try product(false, currency: "points").price.currency == "points")
        #expect(throws: ProductsFailure.self) { try product(true, currency: "points") }
    }

    @Test(arguments: [true, false])
    func `HTML stays as it is`(isMapped: Bool) throws {
        let html = "<p class='a'>Caf&eacute; &amp; <b>T\u{e9}</b></p><script>1 < 2</script>&nbsp;"
        let product = try product(isMapped, name: html, description: html)
        #expect(product.name == html && product.description == html)
    }
}
