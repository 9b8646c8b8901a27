internal import Testing

@testable internal import Products

struct MemberOverlayTests {
    private static let price = #""price":{"amount":5,"currency":"EUR"}"#
    private static let noPrice = #""price":{"amount":0,"currency":"XXX"}"#

    /// A catalogue of products, each of which lacks type, name and price unless they are in it.
    private func catalogue(_ products: String...) throws -> Catalogue {
        try Catalogue(encoded: Array("[\(products.joined(separator: ","))]".utf8))
    }

    private func product(
        _ id: String = "a", _ members: String = "", type: String = "physical", price: String = Self.price
    ) -> String {
        #"{"type":"\#(type)","id":"\#(id)","name":"A",\#(price),"sales":0\#(members.isEmpty ? "" : ",\(members)")}"#
    }

    private func laid(
        _ entries: Catalogue?, over base: Catalogue, _ members: [String] = ["price", "stock"],
        as treatment: MemberOverlay.Treatment = .laid
    ) throws -> (text: String, unfit: Int) {
        let (catalogue, unfit) = try MemberOverlay(members).laid(entries, over: base, as: treatment)
        // What was composed can be read, and is in canonical form.
        #expect(try Catalogue(encoded: catalogue.encoded).encoded == catalogue.encoded)
        #expect(try Catalogue(products: Array(catalogue.products)).encoded == catalogue.encoded)
        return (String(decoding: catalogue.encoded, as: UTF8.self), unfit)
    }

    @Test func `a whole member replaces the product's own in its place, and a new one comes last`() throws {
        let base = try catalogue(product("a", #""stock":7,"colour":"red""#), product("b", #""colour":"blue""#))
        let entries = try catalogue(
            product("b", #""stock":2,"colour":"gold""#, price: Self.noPrice),
            product("a", #""stock":{"here":3}"#, price: #""price":{"amount":1.50,"currency":"USD","was":2}"#))
        let expected = [
            product(
                "a", #""stock":{"here":3},"colour":"red""#, price: #""price":{"amount":1.5,"currency":"USD","was":2}"#),
            product("b", #""colour":"blue","stock":2"#),
        ]
        #expect(try laid(entries, over: base).text == "[\(expected.joined(separator: ","))]")
    }

    @Test func `where nothing changes the catalogue is the same object`() throws {
        let base = try catalogue(product("a", #""stock":7"#), product("b"))
        let overlay = MemberOverlay(["price", "stock"])
        for entries in [
            try catalogue(), try catalogue(product("c", #""stock":1"#)),
            try catalogue(product("a", #""stock":7"#, price: Self.noPrice)), try catalogue(product("b")),
        ] {
            #expect(try overlay.laid(entries, over: base, as: .laid).catalogue === base)
        }
        for treatment in [MemberOverlay.Treatment.laid, .marked] {
            #expect(try overlay.laid(nil, over: base, as: treatment).catalogue === base)
        }
    }

    @Test func `ids are matched as a catalogue matches them: composed and decomposed accents are equal`() throws {
        let base = try catalogue(product("caf\u{e9}"), product(#"a\"b"#))
        let entries = try catalogue(product("cafe\u{301}", #""stock":1"#), product(#"a\"b"#, #""stock":2"#))
        let text = try laid(entries, over: base, ["stock"]).text
        #expect(text == "[\(product("caf\u{e9}", #""stock":1"#)),\(product(#"a\"b"#, #""stock":2"#))]")
    }

    @Test
    func `a product lists the stale members that its entry states, sorted, beside those that it lists already`() throws
    {
        let base = try catalogue(product("a", #""staleMembers":["zeal","stock"]"#), product("b"), product("c"))
        let entries = try catalogue(
            product("a", #""stock":1"#), product("b", #""stock":1"#, price: Self.noPrice))
        let expected = [
            product("a", #""stock":1,"staleMembers":["price","stock","zeal"]"#),
            product("b", #""stock":1,"staleMembers":["stock"]"#), product("c"),
        ]
        #expect(try laid(entries, over: base, as: .marked).text == "[\(expected.joined(separator: ","))]")
    }

    @Test
    func `members that the kind requires are the product's own where they would be hidden, and no others`() throws {
        let base = try catalogue(
            product("a", #""stock":7"#), product("b", #""interval":"month","stock":7"#, type: "subscription"),
            product("c", #""interval":"month","stock":7"#, type: "voucher"), product("d", #""stock":7"#))
        let entries = try catalogue(
            product("a", #""stock":1"#, price: #""price":{"amount":9,"currency":"EUR"}"#),
            product("b", #""interval":"year","stock":1"#), product("c", #""interval":"year""#))
        let known = [
            product("a"), product("b", #""interval":"month""#, type: "subscription"),
            product("c", #""stock":7"#, type: "voucher"), product("d", #""stock":7"#),
        ]
        let members = ["price", "stock", "interval"]
        #expect(try laid(entries, over: base, members, as: .hidden).text == "[\(known.joined(separator: ","))]")
        let unknown = [
            product("a"), product("b", #""interval":"month""#, type: "subscription"), product("c", type: "voucher"),
            product("d"),
        ]
        #expect(try laid(nil, over: base, members, as: .hidden).text == "[\(unknown.joined(separator: ","))]")
    }

    @Test func `a product stays as it is where an entry does not fit its kind, and is counted`() throws {
        let card = product("a", #""denominations":[10,20]"#, type: "giftCard")
        let base = try catalogue(card, product("b"))
        let entries = try catalogue(product("a", #""denominations":"many""#), product("b", #""denominations":1"#))
        let (text, unfit) = try laid(entries, over: base, ["denominations"])
        #expect(text == "[\(card),\(product("b", #""denominations":1"#))]")
        #expect(unfit == 1)
    }

    @Test func `products within a bundle keep their own members`() throws {
        let base = try catalogue(product("a", #""products":[\#(product("b", #""stock":7"#))]"#, type: "bundle"))
        let entries = try catalogue(product("b", #""stock":1"#), product("a", #""stock":2"#))
        let expected = product("a", #""products":[\#(product("b", #""stock":7"#))],"stock":2"#, type: "bundle")
        #expect(try laid(entries, over: base, ["stock"]).text == "[\(expected)]")
    }
}
