import JSON
import Products
import Testing

@Suite struct ProductCodingTests {
    @Test(
        "writes back the members of its kind in canonical order, and the unknown ones unchanged after them",
        arguments: [
            (
                #"""
                {"z":[1.50,null],"dimensions":{"depth":3.0,"width":1,"height":2.25},"category":"kitchen",
                "weight":"0.450","sales":1e2,"price":{"currency":"EUR","amount":19.90},"name":"Mug",
                "description":"A mug","imageURL":"m.png","id":7,"type":"physical","a":{"big":9007199254740993}}
                """#,
                #"""
                {"type":"physical","id":"7","name":"Mug","price":{"amount":19.9,"currency":"EUR"},"sales":100,\#
                "description":"A mug","imageURL":"m.png","category":"kitchen","weight":0.45,\#
                "dimensions":{"width":1,"height":2.25,"depth":3},"z":[1.50,null],"a":{"big":9007199254740993}}
                """#
            ),
            (
                #"""
                {"type":"digital","id":"b","name":"Book","price":{"amount":"0.1","currency":"USD"},"size":1048576,
                "downloadURL":"https://x/é","weight":1,"description":null}
                """#,
                #"""
                {"type":"digital","id":"b","name":"Book","price":{"amount":0.1,"currency":"USD"},"sales":0,\#
                "downloadURL":"https://x/é","size":1048576,"weight":1}
                """#
            ),
        ])
    func writesBack(text: String, canonical: String) throws {
        let product = try decodeProducts("[\(text)]")[0]
        #expect(try encode(product) == canonical)
        #expect(try encode(try decodeProducts("[\(canonical)]")[0]) == canonical)
    }

    @Test func kindsAreTheTypesTheirDiscriminatorNames() throws {
        #expect(try decodeProduct("") is PhysicalProduct)
        #expect(try decodeProduct("").kind == .physical)
        let digital = try decodeProducts(
            #"[{"type":"digital","id":"1","name":"x","price":{"amount":1,"currency":"EUR"}}]"#)[0]
        #expect(digital is DigitalProduct)
        #expect(digital.kind == .digital)
    }

    @Test func whatAnUpstreamSaysOfPopularityIsNeitherKeptNorWritten() throws {
        let product = try decodeProduct(#","isPopular":true,"colour":"red""#)
        #expect(product.attributes.keys == ["colour"])
        let forged = makeProduct(attributes: ["id": "2", "isPopular": true, "weight": 3, "x": 1])
        #expect(
            try encode(forged)
                == #"{"type":"physical","id":"1","name":"Mug","price":{"amount":19.9,"currency":"EUR"},"sales":0,"#
                + #""x":1}"#
        )
    }

    @Test(
        "says which member of which product is wrong",
        arguments: [
            (#"{"id":"1"}"#, "[1].type: missing; known are \"physical\", \"digital\""),
            (#"{"type":"gift","id":"1"}"#, "[1].type: unknown kind \"gift\"; known are \"physical\", \"digital\""),
            (#"{"type":"physical"}"#, "[1].id: missing"),
            (#"{"type":"physical","id":""}"#, "[1].id: expected a non-empty string or a number"),
            (#"{"type":"physical","id":true}"#, "[1].id: expected a non-empty string or a number"),
            (#"{"type":"physical","id":"1"}"#, "[1].name: missing"),
            (#"{"type":"physical","id":"1","name":null}"#, "[1].name: expected a string, found null"),
            (#"{"type":"physical","id":"1","name":"x","price":9.99}"#, "[1].price: expected an object, found a number"),
            (#"{"type":"physical","id":"1","name":"x","price":{}}"#, "[1].price.amount: missing"),
            (
                #"{"type":"physical","id":"1","name":"x","price":{"amount":"9,99"}}"#,
                "[1].price.amount: expected a number, found a string"
            ),
            (
                #"{"type":"physical","id":"1","name":"x","price":{"amount":null}}"#,
                "[1].price.amount: expected a number, found null"
            ),
            (#"{"type":"physical","id":"1","name":"x","price":{"amount":1}}"#, "[1].price.currency: missing"),
            (
                #"{"type":"physical","id":"1","name":"x","price":{"amount":1,"currency":"EUR"},"sales":1.5}"#,
                "[1].sales: 1.5 is not an integer that fits Int"
            ),
            (
                #"{"type":"physical","id":"1","name":"x","price":{"amount":1,"currency":""},"dimensions":{"width":1}}"#,
                "[1].dimensions.height: missing"
            ),
            ("7", "[1]: expected an object, found a number"),
        ])
    func saysWhatIsWrong(product: String, message: String) {
        let good = #"{"type":"physical","id":"0","name":"x","price":{"amount":1,"currency":"EUR"}}"#
        #expect(throws: ProductsFailure.malformed(detail: message)) { try decodeProducts("[\(good),\(product)]") }
        #expect(throws: ProductsFailure.malformed(detail: "products\(message)")) {
            try decodeProducts(#"{"total":2,"products":[\#(good),\#(product)]}"#)
        }
    }

    @Test(
        "says what is no catalogue at all",
        arguments: [
            ("<html>", "invalid JSON at line 1, column 1: expected a value, found \"<\""),
            ("{}", "expected an array or an object with \"products\", found an object without"),
            ("null", "expected an array or an object with \"products\", found null"),
            (#"{"products":{}}"#, "products: expected an array, found an object"),
        ])
    func saysWhatIsNoCatalogue(text: String, message: String) {
        #expect(throws: ProductsFailure.malformed(detail: message)) { try decodeProducts(text) }
    }
}
