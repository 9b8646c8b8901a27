import JSON
import Testing

@Suite struct JSONObjectTests {
    @Test("keeps the order of members when one is set, added or removed", arguments: [3, 24, 25, 26, 100])
    func keepsOrder(count: Int) {
        var object = JSONObject((0..<count).map { ("key\($0)", .number(JSONNumber($0))) })
        object["key1"] = .bool(true)
        object["key0"] = nil
        object["new"] = .null
        object["missing"] = nil
        #expect(object.keys == (1..<count).map { "key\($0)" } + ["new"])
        #expect(object["key1"] == .bool(true))
        #expect(object["key0"] == nil)
        #expect(object["new"]?.isNull == true)
        #expect(object["key\(count - 1)"] == (count == 2 ? .bool(true) : .number(JSONNumber(count - 1))))
    }

    @Test("tells names apart that only look alike", arguments: [0, 40])
    func tellsLookalikesApart(others: Int) {
        var object = JSONObject((0..<others).map { ("key\($0)", .null) })
        object["\u{E9}"] = .number(1)
        object["e\u{301}"] = .number(2)
        #expect(object.count == others + 2)
        #expect(object["\u{E9}"] == .number(1))
        #expect(object["e\u{301}"] == .number(2))
    }

    @Test("takes over another's members, each value in its old place where there is one")
    func adds() {
        var object: JSONObject = ["a": 1, "b": 2]
        object.add(["c": 3, "a": 4])
        object.add(nil)
        #expect(object == ["a": 4, "b": 2, "c": 3])
    }

    @Test func equalityHeedsOrder() {
        #expect(JSONObject([("a", .null), ("b", .null)]) != JSONObject([("b", .null), ("a", .null)]))
        #expect(JSONObject([("a", .null)]) == ["a": .null])
    }
}
