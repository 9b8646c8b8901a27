import JSON
import PolymorphicCodable
import Products
import ProductsTestSupport
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

    @Test func `objects as deep as the parser allows`() throws {
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

}

struct RandomCatalogueTests {
    private static let seeds = 0..<40

    private func decode(_ items: [JSONValue]) throws -> [any Product] {
        Array(try NativeCatalogueDecoder(unknownKinds: .keep).decode(items: items).products)
    }

    /// The members of an item that its kind does not name.
    private func attributes(of item: JSONValue, _ kind: String) -> [JSONMember] {
        let common = ["type", "id", "name", "price", "sales", "description", "imageURL", "category", "isPopular"]
        let own = [
            "physical": ["weight", "dimensions"], "digital": ["downloadURL", "size"],
            "subscription": ["interval", "trialDays"], "giftCard": ["denominations"], "bundle": ["products", "addOn"],
        ]
        let named = Set(common + (own[kind] ?? []))
        return (item.object?.members ?? []).filter { !named.contains($0.key) }
    }

    @Test(arguments: seeds)
    func `are the same bytes after every way through decoding and encoding`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let catalogue = try Catalogue(products: decode(random.items(25)))
        let again = try Catalogue(encoded: catalogue.encoded)
        #expect(try Catalogue(products: Array(again.products)).encoded == catalogue.encoded)
        #expect(again.revision == catalogue.revision)
        #expect(again.ranges == catalogue.ranges)
        let streamed = try NativeCatalogueDecoder(unknownKinds: .keep).decode(catalogue.encoded)
        #expect(try Catalogue(products: Array(streamed.products)).encoded == catalogue.encoded)
    }

    @Test(arguments: seeds)
    func `are the same when their bytes are taken as they are`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let catalogue = try Catalogue(products: decode(random.items(25)))
        var bytes = Array("[{".utf8) + catalogue.encoded + Array("}]".utf8)
        let range = 2..<bytes.count - 2
        for count in [catalogue.count - 1, catalogue.count + 1, .max, 0, -1] {
            let refused = Catalogue(trusting: &bytes, in: range, count: count, digest: catalogue.digest)
            #expect(refused == nil && Array(bytes[range]) == catalogue.encoded)
        }
        let damaged = Catalogue(trusting: &bytes, in: range, count: catalogue.count, digest: "another")
        #expect(damaged == nil && Array(bytes[range]) == catalogue.encoded)
        let taken = Catalogue(trusting: &bytes, in: range, count: catalogue.count, digest: catalogue.digest)
        let again = try #require(taken)
        #expect(bytes.isEmpty)
        #expect(again.encoded == catalogue.encoded)
        #expect(again.ranges == catalogue.ranges)
        #expect(again.revision == catalogue.revision)
        #expect(catalogue.products.map { again.position(ofID: $0.id) } == Array(0..<catalogue.count))
        #expect(again.position(ofID: "no such product") == nil)
    }

    @Test(arguments: seeds)
    func `keep their attributes, values and order`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let items = random.items(25)
        let catalogue = try Catalogue(products: decode(items))
        let written = try #require(try JSONParser().parse(catalogue.encoded).array)
        #expect(written.count == items.count)
        for (product, (item, written)) in zip(catalogue.products, zip(items, written)) {
            let expected = attributes(of: item, product.typeName)
            #expect(product.attributes.members == expected)
            #expect(written.object?.members.suffix(expected.count) == expected[...])
        }
    }

    @Test(arguments: seeds)
    func `keep every member that a source wrote, at every depth`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let items = random.items(25)
        let written = try #require(try JSONParser().parse(Catalogue(products: decode(items)).encoded).array)
        #expect(written.count == items.count)
        for (item, written) in zip(items, written) {
            #expect(item.isKept(in: written))
            var poorer = written.object ?? [:]
            poorer["name"] = nil
            #expect(!item.isKept(in: .object(poorer)))
        }
    }

    @Test(arguments: seeds)
    func `are the same in whatever order their members come`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let items = random.items(25)
        let products = try decode(items)
        let reordered = zip(items, products).map { random.reordered($0, of: $1) }
        #expect(reordered != items)
        let catalogue = try Catalogue(products: products)
        #expect(try Catalogue(products: decode(reordered)).revision == catalogue.revision)
    }

    @Test func `are of every kind`() throws {
        var random = RandomProducts(seed: 1)
        let kinds = Set(try decode(random.items(200)).map(\.typeName))
        #expect(kinds == Set(ProductKind.allCases.map(\.rawValue) + ["voucher", "rental"]))
    }
}
