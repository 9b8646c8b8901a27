internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

struct ItemConditionTests {
    private static let items = #"""
        [{"id":1,"s":"publish","v":true,"c":[{"n":"a"}]},{"id":2,"s":"draft","v":true,"c":[]},
         {"id":3,"s":"private","v":false,"c":[{"n":"b"},{"n":"a"}]},{"id":4,"s":null}]
        """#

    private func decode(_ when: String, more: String = "") throws -> DecodedProducts {
        try decodeMapped(
            Self.items,
            "{ when: { \(when) }, type: physical, constants: { name: x, price.amount: 1, price.currency: EUR }\(more) }"
        )
    }

    @Test(arguments: [
        ("s: publish", ["1"]), ("s: [publish, draft]", ["1", "2"]), ("v: true", ["1", "2"]), ("c.*.n: a", ["1", "3"]),
        ("s: private, v: false", ["3"]), ("s: none", []), ("nothing: x", []),
    ])
    func `only items that say so are taken, and the others are counted`(when: String, ids: [String]) throws {
        let decoded = try decode(when)
        #expect(decoded.products.map(\.id) == ids)
        #expect(decoded.leftOut == 4 - ids.count && decoded.skipped.isEmpty)
    }

    @Test func `a condition that no item can meet is named`() throws {
        #expect(try decode("nothing: x").unmatched.first?.hasPrefix("when: nothing (there are \"id\", \"s\"") == true)
        #expect(try decode("s: none").unmatched == [])
        #expect(
            try decodeMapped(
                #"[{"id":1,"n":1.0,"name":"x","p":1}]"#,
                "{ when: { n: 1 }, type: physical, fields: { price.amount: p }, constants: { price.currency: EUR } }"
            ).products.count == 1)
    }

    @Test func `items that are left out keep no other from being recognised`() throws {
        let decoder = try makeDecoder(
            "{ when: { s: 0 }, type: physical, constants: { name: x, price.amount: 1, price.currency: EUR } }")
        let body = Array("[\((0..<40).map { #"{"id":\#($0),"s":\#($0 % 2)}"# }.joined(separator: ","))]".utf8)
        let first = try decoder.decode(body, knowing: nil)
        let known = KnownProducts(try Catalogue(first), from: first)
        let second = try decoder.decode(body, knowing: known)
        #expect(second.products.count == 20 && second.leftOut == 20)
        #expect(try Catalogue(second).changes?.positions == [])
    }

    @Test(arguments: [
        (#""1.0""#, "\"1.0\"", true), (#""1""#, "\"1.0\"", false), ("1.0", "1", true), ("1e0", "1", true),
        ("1", "01", false),
        ("1e9223372036854775807", "1", false), ("-0", "0", true), ("1e400", "1E+400", true), ("true", "true", true),
    ])
    func `texts are compared as they are, numbers by their value`(value: String, wanted: String, isTaken: Bool) throws {
        let mapping =
            "{ when: { n: \(wanted) }, type: physical, fields: { price.amount: p }, constants: { price.currency: EUR } }"
        let decoded = try decodeMapped(#"[{"id":1,"name":"x","p":1,"n":\#(value)}]"#, mapping)
        #expect(decoded.products.count == (isTaken ? 1 : 0))
    }

    @Test func `an item that is left out may be anything`() throws {
        let text = #"[{"id":1,"s":"a","name":7,"price":{"amount":-1}},{"id":2,"s":"b"}]"#
        let mapping = "{ when: { s: b }, constants: { name: x, price.amount: 1, price.currency: EUR }, type: physical }"
        #expect(try decodeMapped(text, mapping).products.map(\.id) == ["2"])
    }
}

struct PublishedMembersTests {
    private func names(_ policy: String) throws -> [String] {
        let text = #"[{"id":1,"cost_price":5,"Wholesale":[{"supplierCost":1}],"colour":"red","costume":7,"n":"x"}]"#
        let mapping =
            "{ type: physical, fields: { name: n }, constants: { price.amount: 1, price.currency: EUR }, attributes: \(policy) }"
        return try decodeMapped(text, mapping).internalMembers
    }

    @Test func `members that look internal are named where they are published`() throws {
        #expect(try names("keep") == ["cost_price", "Wholesale", "Wholesale.*.supplierCost"])
        #expect(try names("[colour, cost_price]") == [])
        #expect(try names("[cost_price, Wholesale]") == ["Wholesale.*.supplierCost"])
        #expect(try names("drop") == [])
    }

    @Test(arguments: [
        ("buy", true), ("buy_price", true), ("buyPrice", true), ("netBuyPrice", true), ("BuyTogether", false),
        ("buyable", false), ("buyOnline", false), ("cost", true), ("costume", false),
    ])
    func `a name that begins with buy looks internal only if it is a price`(name: String, isInternal: Bool) throws {
        let text = #"[{"id":1,"n":"x","inner":{"\#(name)":5}}]"#
        let mapping = "{ type: physical, fields: { name: n }, constants: { price.amount: 1, price.currency: EUR } }"
        #expect(try decodeMapped(text, mapping).internalMembers == (isInternal ? ["inner.\(name)"] : []))
    }
}
