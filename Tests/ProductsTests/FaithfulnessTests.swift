import JSON
import Products
import Testing

struct FaithfulnessTests {
    @Test func `numbers, texts and objects that are easily lost on the way`() throws {
        let own = #"""
            ,"z":9007199254740993,"e":1e400,"tiny":1E-400,"zero":-0.0,"null":null,"emoji":"😀👩‍👩‍👧‍👦","rtl":"كوب \#
            ‏שלום","\#u{E9}":1,"e\#u{301}":2,"deep":{"b":[[[{"a":[1.10,{}]}]]],"a":null},"control":"\u0000\u001f\"\\"
            """#
        let product = try decodeProduct("digital", own)
        #expect(try encode(product).hasSuffix("\"sales\":0\(own)}"))
        #expect(product.attributes.count == 11)
    }

    @Test func objectsAsDeepAsTheParserAllows() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        #expect(try encode(decodeProduct("physical", ",\"deep\":\(deep)")).hasSuffix(",\"deep\":\(deep)}"))
    }

    @Test(arguments: ["x", "é", "😀", "\\\""])
    func `a description of a megabyte`(unit: String) throws {
        let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        let catalogue = try Catalogue(products: decodeProducts("[\(item("physical", ",\"description\":\"\(text)\""))]"))
        let again = try Catalogue(encoded: catalogue.encoded)
        #expect(catalogue.encoded.count > 1_000_000)
        #expect(again.products[0].description == catalogue.products[0].description)
        #expect(again.revision == catalogue.revision)
    }

    @Test(arguments: [("0.1", "0.1"), ("1e2", "100"), ("19.90", "19.9"), ("\"19.99\"", "19.99"), ("-0.010", "-0.01")])
    func `prices, in nested products too`(amount: String, digits: String) throws {
        let mug = item("physical").replacing(#""amount":1"#, with: #""amount":\#(amount)"#)
        let bundle = try decodeProduct("bundle", #","products":[\#(mug)],"addOn":\#(mug)"#)
        let written = try #require(try JSONParser().parse(Array(encode(bundle).utf8)).object)
        for nested in [written["products"]?.array?.first, written["addOn"]] {
            #expect(nested?.object?["price"]?.object?["amount"]?.number?.literal == digits)
        }
    }
}
