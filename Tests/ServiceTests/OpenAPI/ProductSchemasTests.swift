import ClientAPI
import FoundationEssentials
import JSON
import Products
import TestSupport
import Testing

/// Attributes may have any name, so a misspelt member would pass every check of an answer: names are compared here.
struct ProductSchemasTests {
    @Test func `a product that has all that its kind has, has all that is described and nothing else`() throws {
        let products = try EveryKind.decoded(EveryKind.whole())
        #expect(products.map(\.typeName) == ProductKind.allCases.map(\.rawValue))
        for product in products {
            let names = described(product).map(\.name)
            #expect(Set(try members(of: product)) == Set(names).union(["type"]))
        }
    }

    @Test func `a product that has as little as its kind allows has what is described as always there`() throws {
        let products = try EveryKind.decoded(EveryKind.bare())
        #expect(products.map(\.typeName) == ProductKind.allCases.map(\.rawValue))
        for product in products {
            let names = described(product).filter(\.isAlwaysThere).map(\.name)
            #expect(Set(try members(of: product)) == Set(names).union(["type"]))
        }
    }

    @Test func `what is shown of a product is described`() throws {
        let catalogue = try Catalogue(products: EveryKind.decoded(EveryKind.whole() + EveryKind.bare()))
        let shown = DisplayedCatalogue(
            catalogue.products, ProductsUseCase.marked(catalogue, by: PopularityRule()).marks)
        let products = try JSONParser().parse(shown.array.bytes).object?["products"]?.array ?? []
        let names = products.map { $0.object?.keys ?? [] }
        #expect(Set(names.joined()) == Set(DisplayedCatalogue.members.map(\.name)))
        let required = Set(DisplayedCatalogue.members.filter(\.isAlwaysThere).map(\.name))
        #expect(names.allSatisfy { required.isSubset(of: $0) } && names.contains { required == Set($0) })
    }

    /// A schema that takes any value describes nothing, so the form that is meant is checked by itself.
    @Test func `variants and their range are of the form that is described first`() throws {
        let text = """
            [{"type":"digital","id":"1","name":"Cup","images":["u"],"unconverted":{"size":"1 kB"},"variants":[{"id":"s","sku":"C-S",
            "name":"S","price":{"amount":9,"currency":"EUR"},"stock":3,"image":"u"},{"price":{"amount":12.50,"currency":"EUR"}}]}]
            """
        let decoded = try NativeCatalogueDecoder().decode(Array(text.utf8))
        let product = try #require(JSONParser().parse(decoded.array.bytes).array?.first?.object)
        let schemas = ProductSchemas.all
        let properties = try #require(schemas["ProductDetails"]?.object?["properties"]?.object)
        for name in ["variants", "priceRange", "images", "unconverted"] {
            let forms = try #require(properties[name]?.object?["anyOf"]?.array)
            let value = try #require(product[name])
            #expect(SchemaChecker(schemas: schemas).faults(value, forms.first).isEmpty)
            #expect(!SchemaChecker(schemas: schemas).faults("cup", forms.first).isEmpty)
            #expect(SchemaChecker(schemas: schemas).faults("cup", forms.last).isEmpty)
        }
    }

    private func members(of product: any Product) throws -> [String] {
        let listed = ProductsUseCase.marked(try Catalogue(products: [product]), by: PopularityRule())
        return try JSONParser().parse(listed.array.bytes).object?["products"]?.array?.first?.object?.keys ?? []
    }

    private func described(_ product: any Product) -> [MemberDescription] {
        ProductDetails.members + (ProductKind(rawValue: product.typeName)?.members ?? [])
    }
}
