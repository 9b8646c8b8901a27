internal import Decoding
internal import Products
internal import ProvidersTestSupport
internal import Querying
internal import Testing

@testable internal import Providers

/// Values of keys that must be unique in a catalogue.
struct SharedKeyTests {
    private func problem(_ items: String...) throws -> String? {
        let paths = try ["sku", "variants.*.sku"].map { try #require(ItemPath($0)) }
        let rules = CatalogueRules(unique: [FindableMembers.Key(name: "sku", paths: paths)])
        let catalogue = try Catalogue(NativeCatalogueDecoder().decode(Array("[\(items.joined(separator: ","))]".utf8)))
        do {
            try rules.check(catalogue, replacing: nil)
            return nil
        } catch ProductsFailure.refused(let reason, _) {
            return "\(reason)"
        }
    }

    private func item(_ id: String, sku: String? = nil, variants: String...) -> String {
        let own = sku.map { #","sku":"\#($0)""# } ?? ""
        return #"""
            {"type":"physical","id":"\#(id)","name":"x","price":{"amount":1,"currency":"EUR"}\#(own),
            "variants":[\#(variants.joined(separator: ","))]}
            """#
    }

    @Test func `a value of two products, or of two variants of one, is a duplicate`() throws {
        let other = item("b", sku: "A")
        #expect(
            try problem(item("a", variants: #"{"id":1,"sku":"A"}"#), other)
                == #"products "a" and "b" have one sku, "A""#)
        #expect(
            try problem(
                item("c"), item("a", variants: #"{"id":1,"sku":"A"}"#, #"{"id":2,"sku":"B"}"#, #"{"id":3,"sku":"A"}"#))
                == #"products "a > 1" and "a > 3" have one sku, "A""#)
        // The product's own value hides neither of its variants'.
        #expect(
            try problem(item("a", sku: "7", variants: #"{"sku":7}"#, #"{"sku":"7"}"#))
                == #"products "a > 7" and "a > 7" have one sku, "7""#)
    }

    @Test func `a product may have the value of its variant, and variants may have none`() throws {
        #expect(try problem(item("a", sku: "A", variants: #"{"id":1,"sku":"A"}"#)) == nil)
        #expect(
            try problem(
                item("a", sku: "A", variants: #"{"id":1,"sku":"A"}"#, #"{"id":2,"sku":"B"}"#),
                item("b", sku: "", variants: #"{"id":1,"sku":""}"#, #"{"id":2,"sku":""}"#, #"{"id":3,"sku":null}"#))
                == nil)
    }
}
