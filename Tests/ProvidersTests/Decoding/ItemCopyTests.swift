internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Decoding

/// A document of many items is copied from the hundredth on; items that are already parsed are not.
struct ItemCopyTests {
    private static let mappings = [
        """
        { type: physical, fields: { name: [title, label], price.amount: cost, category: tags, sku: code, sales: { path: sold, default: 3 } }, \
        constants: { price.currency: EUR }, on_bad_item: skip }
        """,
        """
        { type: { path: kind, map: { "7": digital, book: physical }, otherwise: physical }, fields: { name: title, \
        price.amount: { path: cost, scale: 2 }, price.currency: money, dimensions.width: w, dimensions.height: h, \
        dimensions.depth: sold }, attributes: [x, size, weight], on_bad_item: skip }
        """,
        "{ type: physical, fields: { name: title }, attributes: drop, on_bad_item: skip }",
        """
        { type: { path: [kind, code], map: { book: physical } }, fields: { id: [code, id], name: title, price.amount: images.0.cost, \
        price.currency: { path: money, default: USD }, dimensions.width: w, imageURL: images.1 }, unknown_kinds: keep, on_bad_item: skip }
        """,
    ]

    private static let good =
        parsed(
            #"""
            {"id":7,"title":"Cup","label":"Cups","kind":"book","code":"c","cost":1999,"money":"EUR","sold":5,"tags":["a","b"],
            "number":4,"x":{"y":1},"w":3,"name":"own","images":[{"cost":12.5},"u"],"weight":1.50,"size":12,"category":"C",
            "price":{"amount":3,"currency":"CHF","old":4},"dimensions":{"width":1,"height":2,"depth":3},"description":"d\u00e9",
            "sales":9,"isPopular":true,"type":"theirs","downloadURL":"u","h":"4"}
            """#
        ).object?.members ?? []

    private static let values =
        parsed(
            #"""
            [null,"","0","-1","1.2 lb","12","1.50","\u0000\u202e\"\\","\u00e9",true,0,-1,7,1.50,199,[],{},["",7],[{"name":"n"}],
            "EUR","eur","XXX","\u20ac","7","book","digital","bundle",1e400,1E2,0.000000001,"1e2",-0,"-0",12345678901234567890]
            """#
        ).array ?? []

    private static func parsed(_ text: String) -> JSONValue {
        do {
            return try JSONParser().parse(Array(text.utf8))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// An item of some of the members, some of them with odd values, in any order.
    private static func item(_ number: Int, _ random: inout SeededGenerator) -> JSONValue {
        var members: [(String, JSONValue)] = []
        for member in good.shuffled(using: &random) where Int.random(in: 0..<10, using: &random) > 1 {
            let odd = Int.random(in: 0..<12, using: &random) == 0 ? values.randomElement(using: &random) : nil
            let usual = member.key == "id" ? .number(JSONNumber(number)) : member.value
            members.append((member.key, odd ?? usual))
        }
        return .object(JSONObject(members))
    }

    @Test(arguments: mappings.indices, 0..<12)
    func `what is copied is what is rewritten, and bad items are the same`(mapping: Int, seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let decoder = try makeDecoder(Self.mappings[mapping])
        let whole = JSONValue.object(JSONObject(Self.good.map { ($0.key, $0.value) }))
        let items = Array(repeating: whole, count: 110) + (0..<60).map { Self.item($0, &random) }
        let text = Self.spaced(JSONValue.array(items).encoded(), seed)
        #expect(
            Self.outcome { try decoder.decode(text, knowing: nil) } == Self.outcome { try decoder.decode(items: items) }
        )
    }

    @Test(arguments: [
        ("price.amount: cost", "attributes: drop", #""note":"\ud800""#),
        ("price.amount: cost", "attributes: keep", #""note":"\ud800""#),
        (
            "price.amount: cost", "attributes: keep, variants: { path: v, attributes: drop }",
            #""v":[{"id":1,"note":"\ud800"}]"#
        ),
        (
            "price.amount: cost", "attributes: keep, variants: { path: v, fields: { stock: q } }",
            #""v":[{"q":1,"note":"\ud800","q":2}]"#
        ),
        (
            "price.amount: cost", "attributes: drop, variants: { path: v, when: { s: on } }",
            #""v":[{"s":"off","note":"\ud800"}]"#
        ),
        ("price.amount: cost", "attributes: [gr\u{f6}]", "\"gro\u{308}\":1"),
        ("price.amount: cost, gr\u{f6}: title", "attributes: keep", "\"gro\u{308}\":1,\"x\":[ 1 ]"),
        ("price.amount: { path: cost, default: -1 }", "attributes: keep, on_bad_item: skip", #""cost":null"#),
        (
            "price.amount: cost, dimensions.width: w, dimensions.height: w, dimensions.depth: w", "attributes: keep",
            #""kind":"d","w":"""#
        ),
    ])
    func `texts that only values are compared by, and bad ones, are left to the rewriter`(
        fields: String, rule: String, odd: String
    )
        throws
    {
        let decoder = try makeDecoder(
            "{ type: { path: kind, map: { d: digital }, otherwise: physical }, fields: { \(fields) }, constants: { price.currency: EUR }, \(rule) }"
        )
        let good = #"{"kind":"physical","id":ID,"name":"Cup","cost":5,"title":"t","w":1}"#
        let items = (0..<110).map { good.replacing("ID", with: "\($0)") }
        let odd = #"{"id":"odd","name":"Cup","title":"t",\#(odd.contains("cost") ? odd : odd + #","cost":5"#)}"#
        let last = Self.outcome {
            try decoder.decode(Array("[\((items + [odd]).joined(separator: ","))]".utf8), knowing: nil)
        }
        let first = Self.outcome {
            try decoder.decode(Array("[\(([odd] + items).joined(separator: ","))]".utf8), knowing: nil)
        }
        let slow = try? JSONParser().parse(Array("[\((items + [odd]).joined(separator: ","))]".utf8)).array
        #expect((slow == nil) == odd.contains("ud800"))
        if let slow { #expect(last == Self.outcome { try decoder.decode(items: slow) }) }
        #expect((slow == nil) == (first.contains("invalid JSON") && last.contains("invalid JSON")))
    }

    /// Mappings with variants, lists beside the items, conditions and paths to several values.
    private static let joined = [
        """
        { items: list, type: physical, when: { status: [publish, "1"] }, fields: { name: title, \
        price.amount: "prices[currency=EUR].amount", category: "tags.*.name", brand: brand.name, sales: sold }, \
        constants: { price.currency: EUR }, variants: { path: variants, fields: { price.amount: cost, stock: qty } }, \
        includes: [{ path: brands, of: brand_id, id: id, as: brand }, { path: tags, of: "tag_ids.*", id: id, as: tags }], \
        on_bad_item: skip }
        """,
        """
        { items: list, type: physical, fields: { name: title, price.amount: { path: cost, scale: 2 }, price.currency: money, \
        category: "relationships.images.data.*.attributes.url", images: "relationships.images.data.*.attributes.url", \
        maker: relationships.maker.data.relationships.country.data.attributes.name }, attributes: [x, status], \
        variants: { path: variants, when: { status: publish }, attributes: [options], \
        fields: { price.amount: { path: cents, scale: 2 }, color: "options[name=size].value" } }, \
        includes: { path: included }, on_bad_item: skip }
        """,
        """
        { items: list, type: { path: brand_id.kind, otherwise: physical }, fields: { name: title, price.amount: cost, \
        price.currency: { path: money, default: USD }, y: "prices[!group].amount", z: "prices[rank=1].amount" }, \
        variants: { path: [variants, prices], fields: { sku: [sku, id] } }, \
        includes: [{ path: brands, of: brand_id, id: id, as: brand_id }], on_bad_item: skip }
        """,
    ]

    private static let document =
        parsed(
            #"""
            {"list":[],"brands":[{"id":"b1","name":"B","\u00e9":"x"},{"id":"b2","name":"","kind":"digital"}],
            "tags":[{"id":"t1","name":"T1"},{"id":2,"name":"T\u00e9"},{"id":"t1","name":"second"},{"id":"K","name":"kelvin"}],
            "included":[{"type":"image","id":"1","attributes":{"url":"u1"}},{"type":"country","id":1,"attributes":{"name":"C"}},
            {"type":"maker","id":"m","relationships":{"country":{"data":{"type":"country","id":"1"}}}}]}
            """#
        ).object ?? JSONObject()

    private static let whole = parsed(
        #"""
        {"id":7,"title":"Cup","cost":1999,"money":"EUR","sold":5,"status":"publish","brand_id":"b1","x":{"y":1},
        "tag_ids":["t1",2,"t9"],"prices":[{"currency":"USD","amount":3,"group":4,"rank":2},{"currency":"EUR","amount":4.50,"rank":1}],
        "variants":[{"id":1,"sku":"s-1","cost":1.50,"cents":150,"qty":3,"options":[{"name":"size","value":"L"}],"status":"publish"},
        {"id":"2","sku":2,"cost":2,"cents":5,"qty":"4","options":{"name":"size","value":"M"},"stock":7,"name":"n","image":"u",
        "price":{"amount":2.50,"currency":"EUR","old":1},"status":1}],
        "relationships":{"images":{"data":[{"type":"image","id":"1"},{"type":"image","id":"9"}]},"other":{"data":null},
        "maker":{"data":{"type":"maker","id":"m"}}}}
        """#)

    /// Spellings that mean the same, or nearly so.
    private static let spellings = [
        (#""title""#, #""t\u0069tle""#), (#""EUR""#, #""\u0045UR""#), (#""EUR""#, #""eur""#), (#""t1""#, #""t\u0031""#),
        (#""t1""#, "\"\u{212a}\""), (#""t1""#, "\"\u{e9}\""), (#""t1""#, "\"e\u{301}\""), (#""size""#, #""si\/ze""#),
        (#""publish""#, #""publi\u0073h""#), ("1.50", "1.5e0"),
        ("1.50", "-1.50"),
        ("150", #""0150""#), (#""rank":1"#, #""rank":1.0"#), (#""brand_id""#, #""brand_\u0069d""#),
        (#""b1""#, "[\"b1\",\"b2\"]"),
        (#""x":{"y":1}"#, #""brand":{"name":"own"},"tags":[]"#),
        (#""data":{"type":"maker","id":"m"}"#, #""data":{"id":"m","type":"maker","x":1}"#),
    ]

    /// The value with some odd, missing and moved ones within.
    private static func mutated(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<60, using: &random) {
        case 0: return values.randomElement(using: &random) ?? .null
        case 1:
            return ["b1", "b2", 2, "t1", .object(["type": "image", "id": "1"])].randomElement(using: &random) ?? .null
        default: break
        }
        if let elements = value.array { return .array(elements.map { mutated($0, &random) }) }
        guard let members = value.object?.members else { return value }
        let isMoved = Int.random(in: 0..<4, using: &random) == 0
        var changed = isMoved ? members.shuffled(using: &random) : members
        if Int.random(in: 0..<8, using: &random) == 0 { changed.removeFirst() }
        return .object(JSONObject(changed.map { ($0.key, mutated($0.value, &random)) }))
    }

    @Test(arguments: joined.indices, 0..<40)
    func `variants, joined lists and conditions are copied as they are rewritten`(mapping: Int, seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let decoder = try makeDecoder(Self.joined[mapping])
        var texts = Array(repeating: Self.whole.description, count: 101)
        for _ in 0..<80 {
            var text = Self.mutated(Self.whole, &random).description
            if Bool.random(using: &random), let (usual, other) = Self.spellings.randomElement(using: &random) {
                text.replace(usual, with: other)
            }
            texts.append(text)
        }
        var document = Self.document
        document["list"] = "ITEMS"
        let whole = "\(JSONValue.object(document))".replacing(#""ITEMS""#, with: "[\(texts.joined(separator: ","))]")
        let text = Self.spaced(Array(whole.utf8), seed)
        let items = try #require(decoder.items(in: JSONParser().parse(text)))
        #expect(
            Self.outcome { try decoder.decode(text, knowing: nil) } == Self.outcome { try decoder.decode(items: items) }
        )
    }

    @Test(arguments: joined)
    func `an item with variants, joined lists and conditions is copied`(mapping: String) throws {
        let mapping = try #require(makeDecoder(mapping) as? MappedCatalogueFormat).mapping
        let index = IncludedLists(mapping.includes, for: mapping.paths)?.index { JSONValue.object(Self.document)[$0] }
        var copies = try #require(ItemCopies(mapping, ItemRewriter(mapping), index))
        var (bytes, budget) = ([UInt8](), JoinBudget(limit: .max))
        // A price with other members, which are kept, is left to the rewriter.
        let text = Array(Self.whole.description.replacing(#","old":1"#, with: "").utf8)
        #expect(copies.append(at: 0, of: text, to: &bytes, &budget) == text.count)
    }

    @Test(arguments: mappings) func `a usual item is copied`(mapping: String) throws {
        let mapping = try #require(makeDecoder(mapping) as? MappedCatalogueFormat).mapping
        var copies = try #require(ItemCopies(mapping, ItemRewriter(mapping)))
        var (bytes, budget) = ([UInt8](), JoinBudget(limit: .max))
        let text = JSONValue.object(JSONObject(Self.good.map { ($0.key, $0.value) })).encoded()
        #expect(copies.append(at: 0, of: text, to: &bytes, &budget) == text.count)
    }

    /// The text with white space between its values, in every second run.
    private static func spaced(_ text: [UInt8], _ seed: Int) -> [UInt8] {
        guard seed.isMultiple(of: 2) else { return text }
        return Array(
            String(decoding: text, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false).joined(
                separator: " ,\n "
            ).utf8)
    }

    private static func outcome(_ decode: () throws -> DecodedProducts) -> String {
        do {
            let decoded = try decode()
            let texts = try decoded.products.dropFirst(100).map { product in
                // Texts of other bytes may be equal.
                String(decoding: try JSONByteEncoder.encode(product), as: UTF8.self).unicodeScalars
                    .map { $0.escaped(asASCII: true) }.joined()
            }
            return "\(decoded.products.count) \(texts) \(decoded.skipped)"
        } catch {
            return "\(error)"
        }
    }
}
