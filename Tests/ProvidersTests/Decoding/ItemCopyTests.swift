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

    @Test(arguments: mappings) func `a usual item is copied`(mapping: String) throws {
        let mapping = try #require(makeDecoder(mapping) as? MappedCatalogueFormat).mapping
        var copies = try #require(ItemCopies(mapping, ItemRewriter(mapping)))
        var bytes: [UInt8] = []
        let text = JSONValue.object(JSONObject(Self.good.map { ($0.key, $0.value) })).encoded()
        #expect(copies.append(at: 0, of: text, to: &bytes) == text.count)
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
                String(decoding: try JSONByteEncoder.encode(product), as: UTF8.self)
            }
            return "\(decoded.products.count) \(texts) \(decoded.skipped)"
        } catch {
            return "\(error)"
        }
    }
}
