internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

struct AttributePolicyTests {
    /// A product with these attributes policy and other members of the mapping, of an item with these other members.
    private func product(
        _ attributes: String, _ members: String, type: String = "physical", fields: String = "", constants: String = ""
    ) throws -> any Product {
        let mapping = """
            { type: \(type), attributes: \(attributes), fields: { name: title\(fields) }, \
            constants: { price.amount: 1, price.currency: EUR\(constants) } }
            """
        return try #require(try decodeMapped(#"[{"id":1,"title":"Mug",\#(members)}]"#, mapping).products.first)
    }

    @Test(arguments: [
        ("keep", ["tags", "cost", "seo"]), ("drop", []), ("[]", []), ("[cost]", ["cost"]),
        ("[seo, tags, other]", ["tags", "seo"]), ("[title, id]", []),
    ])
    func `of what nobody mapped, that is kept which is wanted, in the upstream's order`(
        attributes: String, kept: [String]
    ) throws {
        let product = try product(attributes, #""tags":["a"],"cost":0.5,"seo":{"lang":"en"}"#)
        #expect(product.attributes.keys == kept)
        #expect(product.id == "1")
        #expect(product.name == "Mug")
    }

    @Test func `what the mapping itself makes an attribute of is always kept`() throws {
        let product = try product(
            "drop", #""maker":{"name":"Mill","margin":3},"seo":{"title":"t","score":7}"#,
            fields: ", brand: maker.name, seo.title: seo.title", constants: ", vat: 19")
        #expect(product.attributes == ["brand": "Mill", "seo": .object(["title": "t"]), "vat": 19])
    }

    @Test(arguments: [("keep", true), ("[seo]", true), ("[score]", false), ("drop", false)])
    func `an object into which something is mapped keeps its other members if it is kept itself`(
        attributes: String, isKept: Bool
    ) throws {
        let product = try product(attributes, #""t":"x","seo":{"score":7}"#, fields: ", seo.title: t")
        let seo: JSONObject = isKept ? ["score": 7, "title": "x"] : ["title": "x"]
        #expect(product.attributes["seo"] == .object(seo))
    }

    @Test func `members that the kind names are no attributes, and stay`() throws {
        let mug = try product(
            "drop", #""weight":"2","dimensions":{"width":1,"height":2,"depth":3},"sales":5,"category":"c","x":1"#)
        #expect((mug as? PhysicalProduct)?.weight == 2)
        #expect((mug as? PhysicalProduct)?.dimensions?.depth == 3)
        #expect(mug.sales == 5)
        #expect(mug.category == "c")
        #expect(mug.attributes.isEmpty)
    }

    @Test(arguments: [("drop", []), ("[weight]", ["weight"])])
    func `a name that only other kinds have is an attribute's`(attributes: String, kept: [String]) throws {
        let members = #""weight":4,"dimensions":{"width":1},"denominations":[5],"products":[],"addOn":1"#
        let song = try product(attributes, #""downloadURL":"u",\#(members)"#, type: "digital")
        #expect(song.attributes.keys == kept)
        #expect((song as? DigitalProduct)?.downloadURL == "u")
    }

    private static let parts = """
        "products":[{"type":"digital","id":2,"name":"Song","price":{"amount":1,"currency":"EUR"},"size":7,"cost":1},\
        {"type":"bundle","id":3,"name":"Box","price":{"amount":1,"currency":"EUR"},"cost":1,"products":[\
        {"type":"giftCard","id":4,"name":"Card","denominations":[5],"price":{"amount":1,"currency":"EUR"},"tag":"x","cost":1}]}],\
        "addOn":{"type":"subscription","id":5,"name":"Plan","price":{"amount":1,"currency":"EUR"},"cost":1,\
        "interval":"month"}
        """

    private func checkParts(of bundle: (any Product)?) throws {
        let bundle = try #require(bundle as? BundleProduct)
        #expect(bundle.attributes.isEmpty)
        #expect(bundle.products.map(\.id) == ["2", "3"])
        #expect(bundle.products.map(\.attributes) == [[:], [:]])
        #expect((bundle.products.first as? DigitalProduct)?.size == 7)
        let inner = try #require((bundle.products.last as? BundleProduct)?.products.first)
        #expect(inner.attributes == ["tag": "x"])
        #expect((bundle.addOn as? SubscriptionProduct)?.interval == "month")
        #expect(bundle.addOn?.attributes == [:])
    }

    @Test func `products within a bundle have no other attributes than the bundle may have`() throws {
        try checkParts(of: product("[tag]", #""cost":1,\#(Self.parts)"#, type: "bundle"))
        let renamed = Self.parts.replacing(#""products":[{"type":"digital""#, with: #""parts":[{"type":"digital""#)
        try checkParts(of: product("[tag]", renamed, type: "bundle", fields: ", products: parts"))
    }

    @Test func `items in our own form are as they were but for their attributes`() throws {
        let price = #""price":{"amount":1,"currency":"EUR"}"#
        let text = """
            {"products":[{"type":"bundle","id":1,"name":"All",\(price),"cost":1,\(Self.parts)},\
            {"type":"physical","id":6,"name":"Mug",\(price),"weight":2,"cost":1,"tag":"y"},\
            {"type":"gift","id":7,"name":"Card",\(price),"cost":1,"tag":"z"}]}
            """
        let products = try decodeMapped(text, "{ attributes: [tag], unknown_kinds: keep }").products
        #expect(products.map(\.typeName) == ["bundle", "physical", "gift"])
        try checkParts(of: products[0])
        #expect(products[1].attributes == ["tag": "y"])
        #expect((products[1] as? PhysicalProduct)?.weight == 2)
        #expect(products[2].attributes == ["tag": "z"])
        let dropped = try decodeMapped(text, "{ attributes: drop, unknown_kinds: skip }")
        #expect(dropped.products.map(\.attributes) == [[:], [:]])
        #expect(dropped.skipped.map(\.index) == [2])
        let kept = try decodeMapped(text, "{ attributes: keep, unknown_kinds: keep }").products
        #expect(kept.map(\.attributes.keys) == [["cost"], ["cost", "tag"], ["cost", "tag"]])
    }

    @Test func `without a rule for the kind, the item's own type is no attribute that could be dropped`() throws {
        let text = #"[{"type":"digital","id":7,"name":"Song","price":{"amount":1,"currency":"EUR"},"x":1}]"#
        let product = try #require(
            try decodeMapped(text, "{ attributes: drop, constants: { category: music } }").products.first)
        #expect(product.typeName == "digital")
        #expect(product.attributes.isEmpty)
    }
}
