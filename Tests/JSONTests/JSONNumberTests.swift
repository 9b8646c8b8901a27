import JSON
import Testing

struct JSONNumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("100", 100), ("1e2", 100), ("100.0", 100), ("1.5e1", 15), ("-7", -7), ("0e999999", 0),
        ("9223372036854775807", Int.max), ("9007199254740993", 9_007_199_254_740_993), ("1200e-2", 12),
    ])
    func `integers are read exactly`(literal: String, integer: Int) {
        #expect(JSONNumber(literal: literal)?.integer == integer)
    }

    @Test(arguments: [
        "0.5", "1e-1", "9223372036854775808", "1e400", "-1e999999999999", "1e99999999999999999999",
        "1e9223372036854775807", "12e9223372036854775806", "1e-9223372036854775808",
    ])
    func `what is no integer is not read as one`(literal: String) {
        #expect(JSONNumber(literal: literal) != nil)
        #expect(JSONNumber(literal: literal)?.integer == nil)
    }

    @Test(arguments: ["", "a", "1 ", " 1", "1.", ".1", "+1", "01", "1e", "0x1", "NaN", "1_0", "--1", "1.0.0"])
    func `texts that are no number make none`(text: String) {
        #expect(JSONNumber(literal: text) == nil)
    }

    @Test(
        arguments: [
            ("19.90", false, "199", -1), ("-0.001", true, "1", -3), ("1200", false, "12", 2), ("0.00", false, "", 0),
            ("1.50e3", false, "15", 2), ("000", false, nil, 0),
        ] as [(String, Bool, String?, Int)])
    func `decimal parts have no idle zeros`(literal: String, isNegative: Bool, digits: String?, exponent: Int) {
        let parts = JSONNumber(literal: literal)?.decimalParts
        #expect(parts?.digits == digits)
        guard digits != nil else { return }
        #expect(parts?.isNegative == isNegative)
        #expect(parts?.exponent == exponent)
    }

    @Test(arguments: [
        ("19.90", "19.9"), ("1e2", "100"), ("-1.50E-3", "-0.0015"), ("0.00", "0"), ("-0", "0"), ("120", "120"),
        ("12.5", "12.5"), ("1e-2", "0.01"), ("10.01", "10.01"),
    ])
    func `plain notation has no exponent and no idle zeros`(literal: String, plain: String) throws {
        let parts = try #require(JSONNumber(literal: literal)?.decimalParts)
        #expect(JSONNumber(plain: parts).literal == plain)
    }

    @Test func `doubles are written so that they read back the same`() {
        for double in [0.1, 1e300, Double.leastNonzeroMagnitude, -2.5, 1e21, 123456.789] {
            #expect(JSONNumber(double)?.double == double)
        }
        #expect(JSONNumber(.infinity) == nil)
        #expect(JSONNumber(.nan) == nil)
        #expect(JSONNumber(literal: "1e999")?.double == nil)
    }
}

struct JSONObjectTests {
    @Test(arguments: [3, 24, 25, 26, 100])
    func `keeps the order of members when one is set, added or removed`(count: Int) {
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

    @Test(arguments: [0, 40])
    func `tells names apart that only look alike`(others: Int) {
        var object = JSONObject((0..<others).map { ("key\($0)", .null) })
        object["\u{E9}"] = .number(1)
        object["e\u{301}"] = .number(2)
        #expect(object.count == others + 2)
        #expect(object["\u{E9}"] == .number(1))
        #expect(object["e\u{301}"] == .number(2))
    }

    @Test func `takes over another's members, each value in its old place where there is one`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object.add(["c": 3, "a": 4])
        object.add(nil)
        #expect(object == ["a": 4, "b": 2, "c": 3])
    }

    @Test func `equality heeds order`() {
        #expect(JSONObject([("a", .null), ("b", .null)]) != JSONObject([("b", .null), ("a", .null)]))
        #expect(JSONObject([("a", .null)]) == ["a": .null])
    }
}

struct JSONPathTests {
    private let value = #"{"data":{"products":[{"price":1},{"price":2}],"0":"zero"},"none":null}"#

    @Test(arguments: [
        ("data.products.1.price", "2"), ("data.0", "\"zero\""), ("none", "null"), ("data.products.0", #"{"price":1}"#),
    ])
    func `leads to values`(path: String, found: String) throws {
        let path = try #require(JSONPath(path))
        #expect(try JSONValue(parsing: value)[path]?.description == found)
    }

    @Test(arguments: [
        "nothing", "data.products.2", "data.products.-1", "data.products.x", "none.a", "data.products.0.price.a",
    ])
    func `leads nowhere quietly`(path: String) throws {
        let path = try #require(JSONPath(path))
        #expect(try JSONValue(parsing: value)[path] == nil)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b"])
    func `empty components make no path`(text: String) {
        #expect(JSONPath(text) == nil)
    }

    @Test func `the root is the value itself`() throws {
        #expect(try JSONValue(parsing: value)[.root] == JSONValue(parsing: value))
    }
}
