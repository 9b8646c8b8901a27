import JSON
import Products
import ProductsTestSupport
import Testing

@Suite struct ProductErrorTests {
    private func expect(_ message: String, for item: String) {
        let good = ProductsTestSupport.item("physical", id: "good")
        #expect(throws: ProductsFailure.malformed(detail: message)) { try decodeProducts("[\(good),\(item)]") }
        #expect(throws: ProductsFailure.malformed(detail: "products\(message)")) {
            try decodeProducts(#"{"total":2,"products":[\#(good),\#(item)]}"#)
        }
        #expect(throws: ProductsFailure.malformed(detail: message)) {
            try NativeCatalogueDecoder().decode(items: [good, item].map { try JSONParser().parse(Array($0.utf8)) })
        }
    }

    @Test(arguments: [
        (#"{"id":"1"}"#, "[1].type: missing; known are \(knownKinds)"),
        (#"{"type":"gift","id":"1"}"#, "[1].type: unknown kind \"gift\"; known are \(knownKinds)"),
        (#"{"type":"giftcard"}"#, "[1].type: unknown kind \"giftcard\"; known are \(knownKinds)"),
        (#"{"type":"physical"}"#, "[1].id: missing"),
        (#"{"type":"physical","id":""}"#, "[1].id: expected a non-empty string or a number"),
        (#"{"type":"physical","id":true}"#, "[1].id: expected a non-empty string or a number"),
        (#"{"type":"physical","id":"1"}"#, "[1].name: missing"),
        (#"{"type":"physical","id":"1","name":null}"#, "[1].name: expected a string, found null"),
        (
            #"{"type":"physical","id":"1","name":"x","price":9.99}"#,
            "[1].price: expected an object, found number 9.99"
        ),
        (#"{"type":"physical","id":"1","name":"x","price":{}}"#, "[1].price.amount: missing"),
        (
            #"{"type":"physical","id":"1","name":"x","price":{"amount":"9,99"}}"#,
            #"[1].price.amount: expected a number, found string "9,99""#
        ),
        (
            #"{"type":"physical","id":"1","name":"x","price":{"amount":""}}"#,
            #"[1].price.amount: expected a number, found string """#
        ),
        (
            #"{"type":"physical","id":"1","name":"x","price":{"amount":null}}"#,
            "[1].price.amount: expected a number, found null"
        ),
        (#"{"type":"physical","id":"1","name":"x","price":{"amount":1}}"#, "[1].price.currency: missing"),
        (item("digital", #","sales":1.5"#), "[1].sales: 1.5 is not an integer that fits Int"),
        (item("digital", #","sales":"5 ""#), #"[1].sales: expected a number, found string "5 ""#),
        (item("digital", #","sales":"""#), #"[1].sales: expected a number, found string """#),
        (item("digital", #","sales":"1.5""#), "[1].sales: 1.5 is not an integer that fits Int"),
        (item("digital", #","description":[]"#), "[1].description: expected a string, found an array"),
        (
            item("digital", #","category":7"#),
            "[1].category: expected a string, an object with name, path or id, or an array of such, found number 7"
        ),
        (
            item("digital", #","category":["a",[]]"#),
            "[1].category: expected a string, an object with name, path or id, or an array of such, found an array"
        ),
        (
            item("digital", #","sales":"\#(String(repeating: "9", count: 50))x""#),
            #"[1].sales: expected a number, found string "\#(String(repeating: "9", count: 40))…""#
        ),
        (
            item("digital", #","sales":\#(String(repeating: "9", count: 500))"#),
            "[1].sales: \(String(repeating: "9", count: 100))… is not an integer that fits Int"
        ),
        (
            #"{"type":"\#(String(repeating: "x", count: 200))"}"#,
            "[1].type: unknown kind \"\(String(repeating: "x", count: 100))…\"; known are \(knownKinds)"
        ),
        ("7", "[1]: expected an object, found a number"),
        ("null", "[1]: expected an object, found null"),
    ])
    func `says which of the members that all products have is wrong`(item: String, message: String) {
        expect(message, for: item)
    }

    @Test(arguments: [
        ("physical", #""dimensions":{"width":1}"#, "dimensions.height: missing"),
        ("physical", #""dimensions":[]"#, "dimensions: expected an object, found an array"),
        ("physical", #""weight":"heavy""#, #"weight: expected a number, found string "heavy""#),
        ("digital", #""downloadURL":{}"#, "downloadURL: expected a string, found an object"),
        ("digital", #""size":0.5"#, "size: 0.5 is not an integer that fits Int"),
        ("subscription", #""trialDays":7"#, "interval: missing"),
        ("subscription", #""interval":null"#, "interval: expected a string, found null"),
        ("subscription", #""interval":"""#, "interval: expected a non-empty string"),
        ("subscription", #""interval":30"#, "interval: expected a string, found number 30"),
        ("subscription", #""interval":"month","trialDays":"7d""#, #"trialDays: expected a number, found string "7d""#),
        ("giftCard", #""x":1"#, "denominations: missing"),
        ("giftCard", #""denominations":null"#, "denominations: expected an array, found null"),
        ("giftCard", #""denominations":25"#, "denominations: expected an array, found number 25"),
        ("giftCard", #""denominations":[1,"two"]"#, #"denominations[1]: expected a number, found string "two""#),
        ("giftCard", #""denominations":[[1]]"#, "denominations[0]: expected a number, found an array"),
        ("giftCard", #""denominations":[1e200]"#, "denominations[0]: 1e200 cannot be kept to the digit"),
        ("bundle", #""x":1"#, "products: missing"),
        ("bundle", #""products":null"#, "products: expected an array, found null"),
        ("bundle", #""products":{}"#, "products: expected an array, found an object"),
        ("bundle", #""products":[null]"#, "products[0]: expected an object, found null"),
        ("bundle", #""products":[{}]"#, "products[0].type: missing; known are \(knownKinds)"),
        ("bundle", #""products":[],"addOn":[]"#, "addOn: expected an object, found an array"),
        (
            "bundle", #""products":[],"addOn":{"type":1}"#,
            "addOn.type: expected a string, found 1; known are \(knownKinds)"
        ),
    ])
    func `says which member of its kind is wrong`(type: String, members: String, message: String) {
        expect("[1].\(message)", for: item(type, ",\(members)"))
    }

    @Test func `say what is wrong with a product in a bundle in a bundle`() {
        let nameless = #"{"type":"digital","id":"1"}"#
        let inner = item("bundle", #","products":[\#(item("physical")),\#(nameless)]"#)
        expect("[1].addOn.products[1].name: missing", for: item("bundle", #","products":[],"addOn":\#(inner)"#))
    }

    @Test func `say which of ten thousand items is wrong`() throws {
        func catalogue(_ wrong: String) -> String {
            let items = (0..<10_000).map { $0 == 7312 ? wrong : item("physical", id: "p\($0)") }
            return "[\(items.joined(separator: ","))]"
        }
        let nameless = #"{"type":"physical","id":"p7312","price":{"amount":1,"currency":"EUR"}}"#
        #expect(throws: ProductsFailure.malformed(detail: "[7312].name: missing")) {
            try decodeProducts(catalogue(nameless))
        }
        let unknown = "[7312].type: unknown kind \"physicial\"; known are \(knownKinds)"
        #expect(throws: ProductsFailure.malformed(detail: unknown)) {
            try decodeProducts(catalogue(item("physicial")))
        }
        let twice = try decodeProducts(catalogue(item("digital", id: "p41")))
        #expect(throws: ProductsFailure.refused(.duplicateID("p41", first: 41, second: 7312))) {
            try Catalogue(products: twice)
        }
    }

    @Test(arguments: [
        ("<html>", "invalid JSON at line 1, column 1: expected a value, found \"<\""),
        ("{}", "expected an array or an object with \"products\", found an object without"),
        ("null", "expected an array or an object with \"products\", found null"),
        (#"{"products":{}}"#, "products: expected an array, found an object"),
        (#"{"products":null}"#, "products: expected an array, found null"),
    ])
    func `says what is no catalogue at all`(text: String, message: String) {
        #expect(throws: ProductsFailure.malformed(detail: message)) { try decodeProducts(text) }
    }
}
