import JSON
import PolymorphicCodable
import Products
import Testing

struct DisplayedCatalogueTests {
    @Test func `It is an array in the catalogue's order, and the ranges cut it into its products`() throws {
        let shown = try displayed(
            "[\(item("physical", id: "b")),\(item("digital", id: "a")),\(item("x", id: "é\\\""))]")
        let parts = shown.ranges.map { String(decoding: shown.bytes[$0], as: UTF8.self) }
        #expect(String(decoding: shown.bytes, as: UTF8.self) == "[\(parts.joined(separator: ","))]")
        #expect(try JSONParser().parse(shown.bytes).array?.map { $0.object?["id"]?.string } == ["b", "a", "é\""])
        let alone = try shown.ranges.map { try JSONParser().parse(Array(shown.bytes[$0])).object?["type"]?.string }
        #expect(alone == ["physical", "digital", "x"])
    }

    @Test func `Of nothing it is an empty array`() throws {
        let shown = try displayed("[]")
        #expect(String(decoding: shown.bytes, as: UTF8.self) == "[]")
        #expect(shown.ranges.isEmpty)
    }

    @Test(arguments: 0..<20)
    func `Every product of any catalogue is shown, with a title and a price`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let products = try NativeCatalogueDecoder(unknownKinds: .keep).decode(items: random.items(25)).products
        let shown = DisplayedCatalogue(try Catalogue(products: products), popularity: PopularityRule())
        let objects = try #require(try JSONParser().parse(shown.bytes).array).compactMap(\.object)
        #expect(objects.map { $0["id"]?.string } == products.map(\.id))
        #expect(objects.map { $0["type"]?.string } == products.map(\.typeName))
        for object in objects {
            #expect(object["title"]?.string?.isEmpty == false)
            #expect(object["priceLabel"]?.string?.isEmpty == false)
            #expect(object["selectable"]?.bool != nil)
        }
    }
}
