internal import Decoding
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

struct OmittedMembersTests {
    private static let item = #"""
        {"id":1,"n":"x","cost":9,"items":[{"sku":"a","sellers":[{"name":"s","cost":1},{"cost":2}]},{"sku":"b"},7],
        "sizes":[{"id":"s","margin":3}],"price":{"amount":5,"currency":"EUR","net":4}}
        """#

    private func product(_ omit: String, _ more: String = "") throws -> any Product {
        let mapping = "{ type: physical, omit: [\(omit)], fields: { name: n }\(more) }"
        return try #require(try decodeMapped("[\(Self.item)]", mapping).products.first)
    }

    @Test(arguments: [
        (
            "cost",
            #"{"items":[{"sku":"a","sellers":[{"name":"s","cost":1},{"cost":2}]},{"sku":"b"},7],"sizes":[{"id":"s","margin":3}]}"#
        ),
        (
            "\"items.*.sellers.*.cost\"",
            #"{"cost":9,"items":[{"sku":"a","sellers":[{"name":"s"},{}]},{"sku":"b"},7],"sizes":[{"id":"s","margin":3}]}"#
        ),
        ("items, \"sizes.*.margin\", cost", #"{"sizes":[{"id":"s"}]}"#),
    ])
    func `what is omitted is gone, and nothing else`(omit: String, attributes: String) throws {
        #expect("\(JSONValue.object(try product(omit).attributes))" == attributes)
    }

    @Test func `a member of a price or of a variant is omitted, by its place in the product`() throws {
        #expect(try product("price.net").price.attributes.isEmpty)
        #expect(try !product("x").price.attributes.isEmpty)
        let sized = try product("\"variants.*.margin\"", ", variants: { path: sizes }")
        #expect(sized.attributes["variants"]?.description == #"[{"id":"s"}]"#)
    }

    @Test func `what is omitted is not named as internal, and a path that no product has is named`() throws {
        let mapping =
            "{ type: physical, omit: [cost, \"items.*.sellers.*.cots\", \"sizes.*.margin\"], fields: { name: n } }"
        let decoded = try decodeMapped("[\(Self.item)]", mapping)
        #expect(decoded.internalMembers == ["items.*.sellers.*.cost"])
        #expect(decoded.unmatched == ["omit: items.*.sellers.*.cots (in no product)"])
    }

    @Test(arguments: [
        ("[price.amount]", "f:1:33: error: \"omit[0]\": every product has \"price.amount\""),
        ("[cost, id]", "f:1:39: error: \"omit[1]\": every product has \"id\""),
        ("[\"a[b=c].d\"]", "f:1:33: error: \"omit[0]\": \"a[b=c].d\" has more than names and *"),
        ("[\"a.*\"]", "f:1:33: error: \"omit[0]\": \"a.*\" has more than names and *"),
    ])
    func `a path that cannot be omitted is refused where it stands`(omit: String, problem: String) {
        let error = #expect(throws: (any Error).self) { try makeDecoder("{ type: digital, omit: \(omit) }") }
        #expect("\(error.map { "\($0)" } ?? "")" == problem)
    }
}
