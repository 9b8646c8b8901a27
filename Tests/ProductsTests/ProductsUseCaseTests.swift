import FoundationEssentials
import JSON
import PolymorphicCodable
import Products
import ProductsTestSupport
import Testing

@Suite struct ProductsUseCaseTests {
    private struct FixedProductsProvider: ProductsProvider {
        var result: Result<[any Product], ProductsFailure>

        func products(for request: ProductsRequest) async throws -> ProductsAnswer {
            let snapshot = ProductsSnapshot(
                catalogue: try Catalogue(products: result.get()), fetchedAt: Date(timeIntervalSince1970: 0),
                origin: .network)
            return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: "fixed", outcome: .fetched)])
        }
    }

    private func listing(_ sales: [Int], over bound: Int = 100) async throws -> ProductsListing {
        let products = sales.enumerated().map { makeProduct(id: "\($0)", sales: $1) }
        let useCase = ProductsUseCase(
            provider: FixedProductsProvider(result: .success(products)), popularity: PopularityRule(salesOver: bound))
        return try await useCase.products(for: ProductsRequest())
    }

    private func popularity(in bytes: [UInt8]) throws -> [Bool?]? {
        try JSONParser().parse(bytes).array?.map { $0.object?["isPopular"]?.bool }
    }

    @Test func `more sales than the bound make a product popular`() async throws {
        #expect(try popularity(in: try await listing([99, 100, 101]).encoded().array.list) == [false, false, true])
        #expect(try popularity(in: try await self.listing([0, 5], over: 4).encoded().array.list) == [false, true])
    }

    @Test func `popularity is one more member of the same bytes`() async throws {
        let listing = try await listing([100, 101])
        let listed = listing.encoded()
        let products = try listing.answer.snapshot.products.map(encode)
        let expected = zip(products, [false, true]).map { "\($0.dropLast()),\"isPopular\":\($1)}" }
        #expect(listed.array.ranges.map { String(decoding: listed.array.bytes[$0], as: UTF8.self) } == expected)
        #expect(String(decoding: listed.array.list, as: UTF8.self) == "[\(expected.joined(separator: ","))]")
    }

    @Test func `products within bundles are marked as well`() throws {
        func sold(_ id: String, _ sales: Int) -> any Product { makeProduct(id: id, sales: sales) }
        let inner = BundleProduct(
            details: makeProduct(id: "inner", sales: 7).details, products: [sold("a", 101), sold("b", 3)],
            addOn: sold("c", 500))
        let outer = BundleProduct(
            details: makeProduct(id: "outer", sales: 102, attributes: ["x": #"{"products":[1],"addOn":"#]).details,
            products: [sold("d", 100), inner, sold("e", 101)], addOn: inner)
        let empty = BundleProduct(details: inner.details, products: [])
        let catalogue = try Catalogue(products: [sold("f", 1), outer, empty])
        let listed = ProductsUseCase.marked(catalogue, by: PopularityRule())
        let innerMarks = "inner:false a:true b:false c:true"
        let outerMarks = "outer:true d:false \(innerMarks) e:true \(innerMarks)"
        #expect(try marks(in: listed) == ["f:false", outerMarks, "inner:false"])
        #expect(unmarked(listed.array.list) == String(decoding: catalogue.encoded, as: UTF8.self))
    }

    @Test(arguments: 0..<20)
    func `every product of any catalogue is marked once and nothing else changes`(seed: Int) throws {
        var random = RandomProducts(seed: seed)
        let products = Array(try NativeCatalogueDecoder(unknownKinds: .keep).decode(items: random.items(25)).products)
        let catalogue = try Catalogue(products: products)
        let listed = ProductsUseCase.marked(catalogue, by: PopularityRule())
        #expect(unmarked(listed.array.list) == String(decoding: catalogue.encoded, as: UTF8.self))
        let parts = try listed.array.ranges.map { try JSONParser().parse(Array(listed.array.bytes[$0])) }
        #expect(parts.map { $0.object?["id"]?.string } == products.map(\.id))
        #expect(zip(parts, products).allSatisfy(isMarked))
    }

    /// Whether the object of a product, and the objects of those within it, have the mark of more than 100 sales.
    private func isMarked(_ value: JSONValue, _ product: any Product) -> Bool {
        let object = value.object
        let inner = (object?["products"]?.array ?? []) + (object?["addOn"].map { [$0] } ?? [])
        let contents = product.contents.map { $0.products + [$0.addOn].compactMap(\.self) } ?? []
        return object?["isPopular"]?.bool == (product.sales > 100)
            && (contents.isEmpty || inner.count == contents.count && zip(inner, contents).allSatisfy(isMarked))
    }

    /// The ids and marks of the products in the order of the bytes, a text for each product of the catalogue.
    private func marks(in listed: ListedCatalogue) throws -> [String] {
        func text(_ value: JSONValue) -> String {
            let object = value.object
            let inner = (object?["products"]?.array ?? []) + (object?["addOn"].map { [$0] } ?? [])
            let own = "\(object?["id"]?.string ?? ""):\(object?["isPopular"]?.bool.map { "\($0)" } ?? "none")"
            return ([own] + inner.map(text)).joined(separator: " ")
        }
        return try #require(JSONParser().parse(listed.array.list).array).map(text)
    }

    private func unmarked(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
            .replacing(#","isPopular":true}"#, with: "}").replacing(#","isPopular":false}"#, with: "}")
    }

    @Test func `a listing of nothing is an empty array`() async throws {
        let listed = try await listing([]).encoded()
        #expect(String(decoding: listed.array.list, as: UTF8.self) == "[]")
        #expect(listed.array.ranges.isEmpty)
    }

    @Test func `what the graph throws passes through`() async {
        let useCase = ProductsUseCase(provider: FixedProductsProvider(result: .failure(.notStored)))
        await #expect(throws: ProductsFailure.notStored) { try await useCase.products(for: ProductsRequest()) }
    }
}
