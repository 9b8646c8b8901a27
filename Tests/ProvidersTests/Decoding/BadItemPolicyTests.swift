internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

struct BadItemPolicyTests {
    private static let mapping =
        "type: { path: t }, fields: { name: n }, constants: { price.amount: 1, price.currency: EUR }"
    private static let mixed = """
        [{"id":1,"t":"gift","n":"Card"},{"id":2,"t":"digital","n":"Song"},{"id":3,"t":"digital"},7,\
        {"id":4,"t":"physical","n":["Mug"]},{"id":5,"t":"physical","n":"Cup"}]
        """
    private static let unknown = """
        [0].type (theirs: t): unknown kind "gift"; known are \(knownKinds)
        """

    @Test func `by default the first bad item is the end of it`() throws {
        #expect(try mappedProblem(Self.mixed, "{ \(Self.mapping) }") == Self.unknown)
        #expect(
            try mappedProblem(Self.mixed, "{ \(Self.mapping), unknown_kinds: skip }")
                == "[2].name (theirs: n): missing; there are \"id\" and \"t\"")
    }

    @Test func `skipped items are left out, and each is told with its reason`() throws {
        let decoded = try decodeMapped(Self.mixed, "{ \(Self.mapping), on_bad_item: skip }")
        #expect(decoded.products.map(\.id) == ["2", "5"])
        #expect(
            decoded.skipped == [
                SkippedItem(index: 0, reason: Self.unknown + "; its id is \"1\""),
                SkippedItem(
                    index: 2, reason: "[2].name (theirs: n): missing; there are \"id\" and \"t\"; its id is \"3\""),
                SkippedItem(index: 3, reason: "[3]: expected an object, found a number"),
                SkippedItem(
                    index: 4, reason: "[4].name (theirs: n): expected a string, found an array; its id is \"4\""),
            ])
    }

    @Test func `a document of which no item is good is refused`() throws {
        let problem =
            "no item of 2 is good; the first: [0].name (theirs: n): missing; there are \"id\" and \"t\"; its id is \"1\""
        let mapping = "{ \(Self.mapping), on_bad_item: skip }"
        #expect(try mappedProblem(#"[{"id":1,"t":"digital"},7]"#, mapping) == problem)
        #expect(try mappedProblem("[]", mapping) == nil)
    }

    @Test func `what is no JSON, or has no items, is refused whatever is skipped`() throws {
        let mapping = "{ \(Self.mapping), on_bad_item: skip }"
        #expect(try mappedProblem("[{]", mapping)?.hasPrefix("invalid JSON at line 1, column 3") == true)
        #expect(try mappedProblem("{}", mapping) == "an object where the array of items should be")
    }

    @Test func `items of unknown kind are left out or kept as the mapping says`() throws {
        let text = #"[{"id":1,"t":"gift","n":"Card","x":[1e2]},{"id":2,"t":"digital","n":"Song"}]"#
        let skipped = try decodeMapped(text, "{ \(Self.mapping), unknown_kinds: skip }")
        #expect(skipped.products.map(\.id) == ["2"])
        #expect(skipped.skipped.map(\.index) == [0])
        let kept = try decodeMapped(text, "{ \(Self.mapping), unknown_kinds: keep }")
        #expect(kept.products.map(\.typeName) == ["gift", "digital"])
        #expect(kept.products[0].attributes["x"].map { "\($0)" } == "[1e2]")
        #expect(kept.skipped.isEmpty)
    }

    @Test func `items in our own form keep their members, and go by the same policies`() throws {
        let text = """
            {"products":[{"type":"digital","id":1,"name":"Song","price":{"amount":1,"currency":"EUR"},"x":1},\
            {"type":"digital","id":2},{"type":"gift","id":3,"name":"Card","price":{"amount":1,"currency":"EUR"}}]}
            """
        let decoded = try decodeMapped(text, "{ on_bad_item: skip, unknown_kinds: keep }")
        #expect(decoded.products.map(\.typeName) == ["digital", "gift"])
        #expect(decoded.products[0].attributes == ["x": 1])
        #expect(decoded.skipped == [SkippedItem(index: 1, reason: "[1].name: missing; its id is \"2\"")])
        let nested = #"{"data":{"list":[{"type":"gift"}]}}"#
        #expect(try decodeMapped(nested, "{ items: data.list, unknown_kinds: skip }").skipped.map(\.index) == [0])
    }
}
