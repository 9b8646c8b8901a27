internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

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
        Array(try decodeMapped(text, mapping).products)
    }

    @Test func `names, prices to the cent, sales, pictures and kinds come from where the mapping says`() throws {
        let products = try decode(Self.shelf, Self.mapping)
        #expect(products.map(\.id) == ["1", "2", "3"])
        #expect(products.map(\.name) == ["Night Cream", "Field Guide", "Lamp"])
        #expect(products.map { "\($0.price.amount) \($0.price.currency)" } == ["9.99 USD", "19.9 USD", "100 USD"])
        #expect(products.map(\.sales) == [99, 101, 0])
        #expect(products.map(\.imageURL) == ["https://shop.example/1.webp", nil, nil])
        #expect(products.map(\.typeName) == ["physical", "digital", "physical"])
        #expect(products.map(\.category) == ["beauty", "ebooks", "home"])
    }

    @Test func `members that our kinds name themselves are taken over without being mapped`() throws {
        let cream = try #require(try decode(Self.shelf, Self.mapping).first as? PhysicalProduct)
        #expect(cream.weight.map { "\($0)" } == "4")
        #expect(cream.dimensions.map { "\($0.width) \($0.height) \($0.depth)" } == "15.14 13.08 22.99")
    }

    @Test func `what is not mapped becomes an attribute, in the upstream's order`() throws {
        let products = try decode(Self.shelf, Self.mapping)
        #expect(products[0].attributes.keys == ["tags", "rating", "meta"])
        #expect(products[0].attributes["rating"] == .number(try #require(JSONNumber(literal: "2.56"))))
        #expect(products[1].attributes["meta"] == .object(["barcode": "9170275171413"]))
        #expect(products[2].attributes.keys == ["rating"])
    }

    @Test func `key paths reach into objects and arrays, on both sides`() throws {
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

    @Test(arguments: [
        ("digital", "{}", "digital"), ("{ path: t }", #"{"t":"digital"}"#, "digital"),
        ("{ path: t, map: { a: digital } }", #"{"t":"a"}"#, "digital"),
        ("{ path: t, map: { a: digital } }", #"{"t":"physical"}"#, "physical"),
        ("{ path: t, map: { a: digital }, otherwise: physical }", #"{"t":"b"}"#, "physical"),
        ("{ path: t, otherwise: physical }", "{}", "physical"),
        ("{ path: t, otherwise: physical }", #"{"t":null}"#, "physical"),
        ("{ path: t, map: { 7: digital } }", #"{"t":7}"#, "digital"),
        ("{ path: t, map: { \"true\": digital } }", #"{"t":true}"#, "digital"),
        ("{ path: t, map: { true: digital, false: physical } }", #"{"t":"true"}"#, "digital"),
        ("{ path: t, map: { true: digital, false: physical } }", #"{"t":false}"#, "physical"),
        ("{ path: a.b }", #"{"a":{"b":"digital"}}"#, "digital"),
        ("{ path: a.1 }", #"{"a":["x","digital"]}"#, "digital"),
    ])
    func `the kind of an item`(rule: String, item: String, kind: String) throws {
        let mapping = """
            { type: \(rule), constants: { id: x, name: Mug, price.amount: "1", price.currency: EUR } }
            """
        #expect(try decode("[\(item)]", mapping).map(\.typeName) == [kind])
    }

    @Test func `without a rule the items carry our own type`() throws {
        let text = #"[{"type":"digital","id":7,"name":"Song","price":{"amount":1,"currency":"EUR"}}]"#
        let product = try #require(try decode(text, "{ constants: { category: music } }").first)
        #expect(product.typeName == "digital")
        #expect(product.id == "7")
        #expect(product.category == "music")
    }

    @Test func `two items with one id are not told apart by the decoder, but by the catalogue`() throws {
        let text = #"[{"id":1,"name":"A"},{"id":"1","name":"B"}]"#
        let mapping = "{ type: digital, constants: { price.amount: \"1\", price.currency: EUR } }"
        let products = try decode(text, mapping)
        #expect(throws: ProductsFailure.refused(.duplicateID("1", first: 0, second: 1))) {
            try Catalogue(products: products)
        }
    }

    @Test
    func `members of containers that are not mapped are taken from where ours would be, numbers in texts included`()
        throws
    {
        let text = """
            [{"id":1,"name":"Mug","price":{"amount":"19.90"},"dimensions":{"length":"3","width":"1.5","height":2}},
             {"id":2,"name":"Cup","price":{"amount":5,"currency":"EUR","net":4},
              "dimensions":{"length":"","width":"","height":""}}]
            """
        let mapping = """
            { type: physical, fields: { dimensions.depth: dimensions.length }, constants: { price.currency: USD } }
            """
        let products = try decode(text, mapping).compactMap { $0 as? PhysicalProduct }
        #expect(products.map { "\($0.price.amount) \($0.price.currency)" } == ["19.9 USD", "5 USD"])
        let sizes = products.map { $0.dimensions.map { "\($0.width) \($0.height) \($0.depth)" } }
        #expect(sizes == ["1.5 2 3", nil])
    }

    @Test(arguments: [
        (#""width":1"#, #""l":3,"w":2"#, nil), (#""width":1,"height":2,"depth":3"#, #""l":9"#, "1 2 9"),
        (#""width":1,"height":"","depth":3"#, #""l":9"#, nil), (#""width":1,"height":2"#, #""l":null"#, nil),
        (#""width":1,"height":null"#, #""l":"4""#, nil), (#""width":0,"height":"0.5""#, #""l":0"#, "0 0.5 0"),
        ("", "\"x\":1", nil),
    ])
    func `dimensions of which a part is missing are none`(own: String, others: String, size: String?) throws {
        let text = #"[{"id":1,"name":"Mug","price":{"amount":1,"currency":"EUR"},"dimensions":{\#(own)},\#(others)}]"#
        let mug = try #require(
            try decode(text, "{ type: physical, fields: { dimensions.depth: l } }").first as? PhysicalProduct)
        #expect(mug.dimensions.map { "\($0.width) \($0.height) \($0.depth)" } == size)
        // What is there in part is no dimensions, but is kept.
        #expect(mug.attributes["dimensions"] == nil)
        #expect((mug.attributes["unconverted"] == nil) == (size != nil || own.isEmpty))
        let song = try #require(try decode(text, "{ type: digital, fields: { dimensions.depth: l } }").first)
        #expect((song.attributes["dimensions"] == nil) == own.isEmpty)
    }

    @Test(arguments: [
        (#"{"width":1,"height":"2","depth":3.5}"#, "1 2 3.5"), (#"{"width":1}"#, nil), ("{}", nil), ("null", nil),
        (#"{"width":"","height":"","depth":""}"#, nil), (#"{"width":1,"height":2,"depth":null}"#, nil),
    ])
    func `dimensions that stand where ours would are read so, too`(dimensions: String, size: String?) throws {
        let text = #"[{"id":1,"name":"Mug","price":{"amount":1,"currency":"EUR"},"dimensions":\#(dimensions)}]"#
        let mug = try #require(try decode(text, "{ type: physical }").first as? PhysicalProduct)
        #expect(mug.dimensions.map { "\($0.width) \($0.height) \($0.depth)" } == size)
        let isPartThere = size == nil && dimensions.contains("1")
        #expect(
            mug.attributes["unconverted"]?.encoded()
                == (isPartThere ? Array(#"{"dimensions":\#(dimensions)}"#.utf8) : nil))
    }

    @Test func `in our own form, dimensions of which a part is missing are an error`() throws {
        let text = """
            [{"type":"physical","id":1,"name":"Mug","price":{"amount":1,"currency":"EUR"},"dimensions":{"width":1}}]
            """
        #expect(try mappedProblem(text, "{ attributes: drop }") == "[0].dimensions.height: missing")
    }

    @Test func `a member of ours that only other kinds have is an attribute, value and all`() throws {
        let text = """
            [{"id":1,"name":"Song","price":{"amount":1,"currency":"EUR"},"weight":"4 kg","w":"5","dimensions":7}]
            """
        let mapping = "{ type: digital, fields: { trialDays: { path: w, default: 9 } } }"
        let song = try #require(try decode(text, mapping).first)
        #expect(song.attributes == ["trialDays": "5", "weight": "4 kg", "dimensions": 7])
    }

    @Test
    func `what is mapped into an attribute's object joins what is there, and the attribute keeps its other members`()
        throws
    {
        let text = #"[{"id":1,"name":"Mug","price":{"amount":1,"currency":"EUR"},"seo":{"a":1,"b":2},"t":"x","n":3}]"#
        let mug = try #require(try decode(text, "{ type: physical, fields: { seo.title: t, seo.b: n } }").first)
        #expect(mug.attributes == ["seo": .object(["a": 1, "b": 3, "title": "x"])])
    }

    @Test func `a value may be mapped deeper than a text may be nested`() throws {
        let value = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
        let text = """
            [{"type": "digital", "id": "1", "name": "Mug", "price": {"amount": 5, "currency": "EUR"}, "x": \(value)}]
            """
        let products = try decode(text, "{ fields: { a.b.c: x } }")
        #expect(products.first?.attributes["a"]?.object?["b"]?.object?.keys == ["c"])
    }

    @Test func `numbers in attributes keep every digit, as constants do`() throws {
        let text = #"[{"id":9007199254740993,"name":"Mug","price":1.10,"big":1e400,"n":9007199254740993,"z":-0.0}]"#
        let mapping = """
            { type: physical, fields: { price.amount: price }, \
            constants: { price.currency: EUR, vat: 19.90, code: "5", rank: 5, isNew: true } }
            """
        let mug = try #require(try decode(text, mapping).first)
        let attributes = #"{"vat":19.90,"code":"5","rank":5,"isNew":true,"big":1e400,"n":9007199254740993,"z":-0.0}"#
        #expect("\(JSONValue.object(mug.attributes))" == attributes)
        #expect(mug.id == "9007199254740993")
    }

    @Test
    func `the items of pages are decoded like those of a document, and an index counts through all of them`() throws {
        let decoder = try makeDecoder(Self.mapping)
        let items = try #require(try JSONParser().parse(Array(Self.shelf.utf8)).array)
        #expect(try decoder.decode(items: items).products.map(\.name) == ["Night Cream", "Field Guide", "Lamp"])
        #expect(
            throws: ProductsFailure.malformed(
                detail: "[5].name (theirs: title): missing; there are \"id\" and \"price\"")
        ) {
            try decoder.decode(items: items + items.dropLast() + [.object(["id": 6, "price": 1])])
        }
    }

    @Test func `items that have not changed are copied, and bad ones are reported each time`() throws {
        let decoder = try makeDecoder(
            "{ items: data.shelf, type: digital, on_bad_item: skip, fields: { name: title, price.amount: price }, "
                + "constants: { price.currency: EUR } }")
        func document(_ titles: [String], end: String = "") -> [UInt8] {
            let items = titles.map { #"{"id":"\#($0)","title":"\#($0)","price":"1.50"}"# } + [#"{"id":"bad"}"#]
            return Array(#"{"page":1,"data":{"shelf":[\#(items.joined(separator: ", "))\#(end)],"more":[]}}"#.utf8)
        }
        let first = try decoder.decode(document(["a", "b", "c"]))
        let known = KnownProducts(try Catalogue(first), from: first)
        for titles in [["a", "b", "c"], ["a", "x", "c", "d"], ["c"], []] {
            let expected = Result { try decoder.decode(document(titles)) }
            let found = Result { try decoder.decode(document(titles), knowing: known) }
            #expect((try? found.get().array.bytes) == (try? expected.get().array.bytes))
            #expect((try? found.get().skipped) == (try? expected.get().skipped))
        }
        #expect(try Catalogue(decoder.decode(document(["a", "x", "c"]), knowing: known)).changes?.positions == [1])
        for (text, problem) in [
            (document(["a"], end: ","), "invalid JSON at line 1, column 80: expected a value, found \"]\""),
            (
                document(["a"]) + [UInt8(ascii: "x")],
                "invalid JSON at line 1, column 92: expected the end of the document"
            ),
        ] {
            let failure = try #require(throws: ProductsFailure.self) { try decoder.decode(text, knowing: known) }
            #expect("\(failure)".contains(problem))
        }
    }

    @Test func `it tells where items and their ids are`() throws {
        let mapped = try makeDecoder("{ items: data.products, type: digital, fields: { id: key.value } }")
        #expect(mapped.itemsPaths.map(\.description) == ["data.products"])
        #expect(mapped.idPaths.map(\.description) == ["key.value"])
        let bare = try makeDecoder("{ type: digital }")
        #expect(bare.itemsPaths == [.root])
        #expect(bare.idPaths.map(\.description) == ["id"])
        let own = try makeDecoder("{ on_bad_item: skip }")
        #expect(own.itemsPaths.map(\.description) == ["", "products"])
    }
}
