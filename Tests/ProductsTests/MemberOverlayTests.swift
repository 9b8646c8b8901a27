internal import JSON
internal import TestSupport
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
        let laid = try MemberOverlay(members).laid(entries, over: base, as: treatment)
        let catalogue = laid.catalogue
        // What was composed can be read, and is in canonical form.
        #expect(try Catalogue(encoded: catalogue.encoded).encoded == catalogue.encoded)
        #expect(try Catalogue(products: Array(catalogue.products)).encoded == catalogue.encoded)
        return (String(decoding: catalogue.encoded, as: UTF8.self), laid.unfit.count)
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

    @Test(arguments: 0..<40)
    func `laid after other entries it is as if laid at once, and records what has changed`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let base = try catalogue(
            product("a", #""stock":7"#), product("b"), product("c", #""denominations":[10]"#, type: "giftCard"),
            product("d", #""colour":"red""#))
        let overlay = MemberOverlay(["price", "stock", "denominations"])
        let treatment = random.pick([MemberOverlay.Treatment.laid, .marked, .hidden])
        var earlier: (entries: Catalogue, laid: MemberOverlay.Laid)?
        for _ in 0..<8 {
            let ids = ["a", "b", "c", "d", "ghost"].filter { _ in random.chance(60) }
            let entries = try Catalogue(
                encoded: Array(
                    "[\(ids.shuffled(using: &random).map { product($0, random.pick(["", #""stock":1"#, #""stock":2"#, #""denominations":"many""#])) }.joined(separator: ","))]"
                        .utf8))
            let (laid, whole) = (
                try overlay.laid(entries, over: base, as: treatment, after: earlier),
                try overlay.laid(entries, over: base, as: treatment)
            )
            #expect(laid.catalogue.encoded == whole.catalogue.encoded && laid.unfit == whole.unfit)
            #expect(laid.catalogue.revision == whole.catalogue.revision)
            for id in ["a", "b", "c", "d", "ghost"] {
                #expect(laid.catalogue.position(ofID: id) == base.position(ofID: id))
            }
            #expect((0..<4).map { laid.catalogue.text(at: $0).id } == ["a", "b", "c", "d"])
            if let before = earlier?.laid.catalogue, laid.catalogue !== base, laid.catalogue !== before {
                let changes = try #require(laid.catalogue.changes)
                #expect(changes.revision == before.revision)
                let differing = (0..<4).filter { laid.catalogue.hash(at: $0) != before.hash(at: $0) }
                #expect(changes.positions == differing)
            }
            earlier = (entries, laid)
        }
    }

    @Test
    func `products find their entries by a key, of which several may share one, and ambiguous entries are left out`()
        throws
    {
        let base = try catalogue(
            product("1", #""sku":"A""#), product("2", #""sku":"A""#), product("3", #""sku":5"#), product("4"),
            product("5", #""sku":"B""#), product("6", #""sku":{"x":1}"#))
        let entries = try catalogue(
            product("A", #""stock":1"#), product("5", #""stock":2"#), product("B", #""stock":3"#),
            product("1", #""stock":9"#))
        let overlay = MemberOverlay(["stock"], by: MemberOverlay.Key(product: "sku", entry: "id"))
        let laid = try overlay.laid(entries, over: base, as: .laid)
        #expect(
            (0..<6).map { laid.catalogue.products[$0].attributes["stock"].map { "\($0)" } } == [
                "1", "1", "2", nil, "3", nil,
            ])
        #expect(laid.ambiguous == 0 && laid.unfit.isEmpty)
        let shared = try catalogue(
            product("x", #""sku":"A","stock":1"#), product("y", #""sku":"B","stock":2"#),
            product("z", #""sku":"A","stock":3"#),
            product("v", #""sku":"A","stock":4"#), product("w", #""sku":"","stock":5"#))
        let same = try MemberOverlay(["stock"], by: MemberOverlay.Key(product: "sku", entry: "sku"))
            .laid(shared, over: base, as: .laid, after: nil)
        #expect(
            (0..<6).map { same.catalogue.products[$0].attributes["stock"].map { "\($0)" } } == [
                nil, nil, nil, nil, "2", nil,
            ])
        #expect(same.ambiguous == 3)
    }
}
