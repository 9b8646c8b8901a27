import JSON
import PolymorphicCodable
import Testing

@testable import Products
import ProductsTestSupport

struct LocalizedCatalogueTests {
    /// The products in a language, given as the JSON of an array of Larder's own form.
    private func localized(_ text: String, in language: String) throws -> [JSONObject] {
        let catalogue = try Catalogue(decode(text, unknownKinds: .keep))
        let localized = LocalizedCatalogue(count: catalogue.count, in: language) {
            $1.append(contentsOf: catalogue.encoded[catalogue.ranges[$0]])
        }
        #expect(localized.products.map(\.id) == catalogue.products.map(\.id))
        return try #require(try JSONParser().parse(localized.array.list).array).compactMap(\.object)
    }

    private func product(_ members: String, type: String = "physical") -> String {
        #"[{"type":"\#(type)","id":"1","name":"Cup","price":{"amount":5.50,"currency":"EUR"},\#(members)}]"#
    }

    @Test func `a text in the language takes the place of the member, and a missing one is added`() throws {
        let texts =
            #""localized":{"name":{"de":"Tasse","fr":""},"description":{"de":"Blau"},"tags":{"de":["neu"]}},"tags":["new"]"#
        let german = try localized(product(texts), in: "de-CH")
        #expect(german[0]["name"] == "Tasse")
        #expect(german[0]["description"] == "Blau")
        #expect(german[0]["tags"] == .array(["neu"]))
        #expect(german[0]["localized"] == nil)
        let english = try localized(product(texts), in: "en")
        #expect(english[0]["name"] == "Cup")
        #expect(english[0]["description"] == nil)
    }

    @Test(arguments: [
        #""price":{"de":1}"#, #""id":{"de":"2"}"#, #""type":{"de":"digital"}"#, #""sales":{"de":9}"#,
        #""weight":{"de":9}"#,
        #""priceRange":{"de":{}}"#, #""variants":{"de":[]}"#, #""sku":{"de":"x"}"#, #""name":{"de":7}"#, #""name":7"#,
        #""category":{"de":7}"#, #""name":{"de":null}"#, #""isPopular":{"de":true}"#,
    ])
    func `nothing but texts differs by language`(texts: String) throws {
        let members = #""weight":1,"sku":"s","category":"Cups","priceRange":1,"variants":[]"#
        let stored = try localized(product(members), in: "de")
        #expect(try localized(product("\(members),\"localized\":{\(texts)}"), in: "de") == stored)
    }

    @Test func `variants and products within a bundle have their own texts, and digits stay`() throws {
        let inner =
            #"{"type":"digital","id":"2","name":"Song","price":{"amount":1.10,"currency":"EUR"},"localized":{"name":{"de":"Lied"}}}"#
        let members =
            #""products":[\#(inner)],"variants":[{"id":"a","name":"Small","price":{"amount":2.00},"localized":{"name":{"de":"Klein"},"price":{"de":1}}}]"#
        let german = try localized(product(members, type: "bundle"), in: "de")[0]
        let song = german["products"]?.array?.first?.object
        #expect(song?["name"] == "Lied" && song?["localized"] == nil)
        let variant = german["variants"]?.array?.first?.object
        #expect(variant?["name"] == "Klein")
        #expect(variant?["price"]?.object?["amount"]?.number?.literal == "2.00")
    }

    @Test func `an attribute of that name in another form stays`() throws {
        let kept = try localized(product(#""localized":"yes","text":"\"localized\":""#), in: "de")
        #expect(kept[0]["localized"] == "yes")
    }
}
