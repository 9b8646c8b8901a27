import JSON
import Testing

@Suite struct JSONPathTests {
    private let value = #"{"data":{"products":[{"price":1},{"price":2}],"0":"zero"},"none":null}"#

    @Test(arguments: [
        ("data.products.1.price", "2"), ("data.0", "\"zero\""), ("none", "null"), ("data.products.0", #"{"price":1}"#),
    ])
    func leadsToValues(path: String, found: String) throws {
        let path = try #require(JSONPath(path))
        #expect(try JSONValue(parsing: value)[path]?.description == found)
    }

    @Test(arguments: [
        "nothing", "data.products.2", "data.products.-1", "data.products.x", "none.a", "data.products.0.price.a",
    ])
    func leadsNowhereQuietly(path: String) throws {
        let path = try #require(JSONPath(path))
        #expect(try JSONValue(parsing: value)[path] == nil)
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b"])
    func emptyComponentsMakeNoPath(text: String) {
        #expect(JSONPath(text) == nil)
    }

    @Test func theRootIsTheValueItself() throws {
        #expect(try JSONValue(parsing: value)[.root] == JSONValue(parsing: value))
    }

    @Test func settingMakesTheObjectsOnTheWay() throws {
        var object = JSONObject([("price", .number(3))])
        object.set(.string("EUR"), at: try #require(JSONPath("price.currency")))
        object.set(.number(3), at: try #require(JSONPath("price.amount")))
        object.set(.bool(true), at: try #require(JSONPath("new")))
        object.set(.null, at: .root)
        #expect(JSONValue.object(object).description == #"{"price":{"currency":"EUR","amount":3},"new":true}"#)
    }
}
