internal import JSON
internal import Products
internal import Testing

@testable internal import Providers

struct MappedCatalogueFormatTests {
    /// Three products in the shape of a well-known practice catalogue: numeric ids, no type, members of its own.
    private static let shelf = """
        [
          {"id": 1, "title": "Night Cream", "category": "beauty", "price": 9.99, "stock": 99, "weight": 4,
           "dimensions": {"width": 15.14, "height": 13.08, "depth": 22.99}, "tags": ["face"], "rating": 2.56,
           "thumbnail": "https://shop.example/1.webp", "meta": {"barcode": "5784719087687"}},
          {"id": 2, "title": "Field Guide", "category": "ebooks", "price": 19.9, "stock": 101, "tags": [],
           "rating": 2.86, "thumbnail": null, "meta": {"barcode": "9170275171413"}},
          {"id": 3, "title": "Lamp", "category": "home", "price": 1e2, "stock": 0, "rating": 4.0}
        ]
        """
    private static let mapping = """
        { type: { path: category, map: { ebooks: digital }, otherwise: physical }, \
        fields: { name: title, price.amount: price, sales: stock, imageURL: thumbnail }, \
        constants: { price.currency: USD } }
        """

    private func decode(_ text: String, _ mapping: String) throws -> [any Product] {
        try makeDecoder(mapping).products(from: Array(text.utf8))
    }

    private func failure(_ text: String, _ mapping: String) throws -> ProductsFailure? {
        do {
            _ = try decode(text, mapping)
            return nil
        } catch let failure as ProductsFailure {
            return failure
        }
    }

    @Test("names, prices to the cent, sales, pictures and kinds come from where the mapping says")
    func mapped() throws {
        let products = try decode(Self.shelf, Self.mapping)
        #expect(products.map(\.id) == ["1", "2", "3"])
        #expect(products.map(\.name) == ["Night Cream", "Field Guide", "Lamp"])
        #expect(products.map { "\($0.price.amount) \($0.price.currency)" } == ["9.99 USD", "19.9 USD", "100 USD"])
        #expect(products.map(\.sales) == [99, 101, 0])
        #expect(products.map(\.imageURL) == ["https://shop.example/1.webp", nil, nil])
        #expect(products.map(\.kind) == [.physical, .digital, .physical])
        #expect(products.map(\.category) == ["beauty", "ebooks", "home"])
    }

    @Test("members that our kinds name themselves are taken over without being mapped")
    func ownNames() throws {
        let cream = try #require(try decode(Self.shelf, Self.mapping).first as? PhysicalProduct)
        #expect(cream.weight.map { "\($0)" } == "4")
        #expect(cream.dimensions.map { "\($0.width) \($0.height) \($0.depth)" } == "15.14 13.08 22.99")
    }

    @Test("what is not mapped becomes an attribute, in the upstream's order")
    func attributes() throws {
        let products = try decode(Self.shelf, Self.mapping)
        #expect(products[0].attributes.keys == ["tags", "rating", "meta"])
        #expect(products[0].attributes["rating"] == .number(try #require(JSONNumber(literal: "2.56"))))
        #expect(products[1].attributes["meta"] == .object(["barcode": "9170275171413"]))
        #expect(products[2].attributes.keys == ["rating"])
    }

    @Test("key paths reach into objects and arrays, on both sides")
    func keyPaths() throws {
        let text = """
            {"data": {"products": [{"key": "a", "texts": [{"value": "Mug"}], \
            "cost": {"cents": {"value": 5}}, "cur": "EUR"}]}}
            """
        let mapping = """
            { items: data.products, type: digital, \
            fields: { id: key, name: texts.0.value, price.amount: cost.cents.value, price.currency: cur } }
            """
        let product = try #require(try decode(text, mapping).first)
        #expect(product.id == "a")
        #expect(product.name == "Mug")
        #expect("\(product.price.amount) \(product.price.currency)" == "5 EUR")
        #expect(product.attributes.keys == ["texts", "cost"])
    }

    @Test(
        "the kind of an item",
        arguments: [
            ("digital", "{}", .digital), ("{ path: t }", #"{"t":"digital"}"#, .digital),
            ("{ path: t, map: { a: digital } }", #"{"t":"a"}"#, .digital),
            ("{ path: t, map: { a: digital } }", #"{"t":"physical"}"#, .physical),
            ("{ path: t, map: { a: digital }, otherwise: physical }", #"{"t":"b"}"#, .physical),
            ("{ path: t, otherwise: physical }", "{}", .physical),
            ("{ path: t, map: { 7: digital } }", #"{"t":7}"#, .digital),
            ("{ path: t, map: { \"true\": digital } }", #"{"t":true}"#, .digital),
            ("{ path: a.b }", #"{"a":{"b":"digital"}}"#, .digital),
        ] as [(String, String, ProductKind)])
    func kinds(rule: String, item: String, kind: ProductKind) throws {
        let mapping = """
            { type: \(rule), constants: { id: x, name: Mug, price.amount: "1", price.currency: EUR } }
            """
        #expect(try decode("[\(item)]", mapping).map(\.kind) == [kind])
    }

    @Test("without a rule the items carry our own type")
    func ownType() throws {
        let text = #"[{"type":"digital","id":7,"name":"Song","price":{"amount":1,"currency":"EUR"}}]"#
        let product = try #require(try decode(text, "{ constants: { category: music } }").first)
        #expect(product.kind == .digital)
        #expect(product.id == "7")
        #expect(product.category == "music")
    }

    @Test("an item of unknown kind is refused, or left out where the mapping says so")
    func unknownKinds() throws {
        let text = """
            [{"id":1,"t":"gift","n":"Card"},{"id":2,"t":"digital","n":"Song"},{"id":3,"t":"gift","n":"Card"},\
            {"id":4,"t":"physical","n":"Mug"}]
            """
        let mapping = "type: { path: t }, fields: { name: n }, constants: { price.amount: \"1\", price.currency: EUR }"
        let refused = "[0].type: unknown kind \"gift\"; known are \"physical\", \"digital\""
        #expect(try failure(text, "{ \(mapping) }") == .malformed(detail: refused))
        #expect(try decode(text, "{ \(mapping), unknown_kinds: skip }").map(\.id) == ["2", "4"])
    }

    @Test(
        "an item that cannot be decoded is named by its index in the upstream's array, and its field",
        arguments: [
            (
                #"[{"t":"gift"},{"t":"digital","id":1,"title":"Song","price":1,"sales":"many"}]"#,
                "[1].sales: expected a number, found a string"
            ),
            (#"[{"t":"digital","id":1,"price":1}]"#, "[0].name: missing"),
            (#"[{"t":"gift"},{"t":"gift"},{"t":"digital","id":1,"title":"Song"}]"#, "[2].price.amount: missing"),
            (#"[{"t":"digital","id":1,"title":7,"price":1}]"#, "[0].name: expected a string, found a number"),
            (
                #"[{"t":"digital","id":null,"title":"Song","price":1}]"#,
                "[0].id: expected a non-empty string or a number"
            ),
            (#"[{"t":"digital"},7]"#, "[0].id: missing"),
            (#"[{"t":"gift"},7]"#, "[1]: a number where an object should be"),
            (#"[{"t":"gift"},{"id":1}]"#, "[1].type: nothing to tell the kind by"),
            (#"[{"t":{"x":1}}]"#, "[0].type: nothing to tell the kind by"),
            (#"{"items":[]}"#, "an object where the array of items should be"),
            ("[", "invalid JSON at line 1, column 2: expected a value, found the end"),
        ])
    func failures(text: String, detail: String) throws {
        let mapping = """
            { type: { path: t }, fields: { name: title, price.amount: price }, constants: { price.currency: EUR }, \
            unknown_kinds: skip }
            """
        #expect(try failure(text, mapping) == .malformed(detail: detail))
    }

    @Test("a path that leads nowhere is named")
    func missingItems() throws {
        let expected = ProductsFailure.malformed(detail: "nothing at \"data.products\", where the items should be")
        #expect(try failure(#"{"data":{}}"#, "{ items: data.products, type: digital }") == expected)
    }

    @Test("two items with one id are not told apart by the decoder, but by the catalogue")
    func duplicates() throws {
        let text = #"[{"id":1,"name":"A"},{"id":"1","name":"B"}]"#
        let mapping = "{ type: digital, constants: { price.amount: \"1\", price.currency: EUR } }"
        let products = try decode(text, mapping)
        #expect(throws: ProductsFailure.refused(.duplicateID("1", first: 0, second: 1))) {
            try Catalogue(products: products)
        }
    }

    @Test(
        "what is wrong with a mapping is said where it is",
        arguments: [
            (
                "{ items: data..products }",
                "f:1:18: error: \"data..products\" is no key path; "
                    + "write names with dots between them, like data.products"
            ),
            ("{ type: { map: { a: digital } } }", "f:1:17: error: missing \"path\" in \"decode.type\""),
            (
                "{ unknown_kinds: skp }",
                "f:1:26: error: \"unknown_kinds\": expected reject or skip, found \"skp\"; did you mean \"skip\"?"
            ),
        ])
    func problemsOfMappings(yaml: String, problem: String) {
        #expect(decodeProblems(yaml) == [problem])
    }
}
