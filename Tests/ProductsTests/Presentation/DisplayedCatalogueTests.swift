import JSON
import PolymorphicCodable
import Testing

@testable import Products
import ProductsTestSupport

/// What is shown of a product with these members, after those that every product needs.
func display(_ type: String = "physical", _ members: String = "") throws -> any ProductDisplayable {
    let product = try decodeProduct(type, members)
    return product.variant.display(isPopular: product.sales > 100)
}

extension DisplayedCatalogue {
    /// What is shown of products with the marks of a rule.
    init(_ products: [any Product], salesOver: Int = 100) throws {
        let catalogue = try Catalogue(products: products)
        self.init(catalogue.products, ProductsUseCase.marked(catalogue, by: PopularityRule(salesOver: salesOver)).marks)
    }
}

/// The JSON of what is shown of the products in an array's text.
func displayed(_ text: String) throws -> DisplayedCatalogue {
    try DisplayedCatalogue(Array(decode(text, unknownKinds: .keep).products))
}

struct DisplayedCatalogueTests {
    @Test func `it is an array in the catalogue's order, and the ranges cut it into its products`() throws {
        let shown = try displayed(
            "[\(item("physical", id: "b")),\(item("digital", id: "a")),\(item("x", id: "é\\\""))]")
        let parts = shown.array.ranges.map { String(decoding: shown.array.bytes[$0], as: UTF8.self) }
        #expect(String(decoding: shown.array.list, as: UTF8.self) == "[\(parts.joined(separator: ","))]")
        #expect(try JSONParser().parse(shown.array.list).array?.map { $0.object?["id"]?.string } == ["b", "a", "é\""])
        let alone = try shown.array.ranges.map {
            try JSONParser().parse(Array(shown.array.bytes[$0])).object?["type"]?.string
        }
        #expect(alone == ["physical", "digital", "x"])
    }

    @Test func `of nothing it is an empty array`() throws {
        let shown = try displayed("[]")
        #expect(String(decoding: shown.array.list, as: UTF8.self) == "[]")
        #expect(shown.array.ranges.isEmpty)
    }

    @Test(arguments: 0..<20)
    func `every product of any catalogue is shown, with a title and a price`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let products = Array(try NativeCatalogueDecoder(unknownKinds: .keep).decode(items: random.items(25)).products)
        let shown = try DisplayedCatalogue(products)
        let objects = try #require(try JSONParser().parse(shown.array.list).array).compactMap(\.object)
        #expect(objects.map { $0["id"]?.string } == products.map(\.id))
        #expect(objects.map { $0["type"]?.string } == products.map(\.typeName))
        for object in objects {
            #expect(object["title"]?.string?.isEmpty == false)
            #expect(object["priceLabel"]?.string?.isEmpty == false)
            #expect(object["selectable"]?.bool != nil)
        }
    }

    private func shown(_ type: String) throws -> any ProductDisplayable {
        let members = #","interval":"month","products":[],"denominations":[]"#
        let product = try decode("[\(item(type, members))]", unknownKinds: .keep).products[0]
        return product.variant.display(isPopular: false)
    }

    @Test func `every kind, and that of the unknown ones, has a type of its own`() throws {
        let kinds = ProductKind.allCases.map(\.rawValue) + ["voucher"]
        let types = try kinds.map { String(describing: type(of: try shown($0))) }
        #expect(
            types == [
                "PhysicalProductDisplay", "DigitalProductDisplay", "SubscriptionProductDisplay",
                "BundleProductDisplay", "GiftCardProductDisplay", "KeptProductDisplay",
            ])
    }

    @Test(arguments: ProductKind.allCases.map(\.rawValue))
    func `popular is shown by the rule that is given, for every kind`(type: String) throws {
        let product = try decodeProduct(type, #","sales":5,"interval":"month","products":[],"denominations":[]"#)
        func badge(over bound: Int) throws -> JSONValue? {
            let shown = try DisplayedCatalogue([product], salesOver: bound)
            return try JSONParser().parse(shown.array.list).array?[0].object?["badge"]
        }
        #expect(try badge(over: 4) == "Popular")
        #expect(try badge(over: 5) != "Popular")
    }

    @Test(arguments: ProductKind.allCases.map(\.rawValue))
    func `a product without a name is shown by its id`(type: String) throws {
        let members = #""price":{"amount":1,"currency":"EUR"},"interval":"month","products":[],"denominations":[]"#
        let product = try decodeProducts(#"[{"type":"\#(type)","id":"a-7","name":"",\#(members)}]"#)[0]
        #expect(product.variant.display(isPopular: false).title == "a-7")
    }
}
