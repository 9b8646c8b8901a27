import FoundationEssentials
import JSON
import Products
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

    @Test func moreSalesThanTheBoundMakeAProductPopular() async throws {
        let listing = try await listing([99, 100, 101])
        #expect(listing.answer.snapshot.products.map(listing.popularity.isPopular) == [false, false, true])
        #expect(try popularity(in: listing.encoded().bytes) == [false, false, true])
        #expect(try popularity(in: try await self.listing([0, 5], over: 4).encoded().bytes) == [false, true])
    }

    @Test func popularityIsOneMoreMemberOfTheSameBytes() async throws {
        let listing = try await listing([100, 101])
        let listed = listing.encoded()
        let products = try listing.answer.snapshot.products.map(encode)
        let expected = zip(products, [false, true]).map { "\($0.dropLast()),\"isPopular\":\($1)}" }
        #expect(listed.ranges.map { String(decoding: listed.bytes[$0], as: UTF8.self) } == expected)
        #expect(String(decoding: listed.bytes, as: UTF8.self) == "[\(expected.joined(separator: ","))]")
    }

    @Test func aListingOfNothingIsAnEmptyArray() async throws {
        let listed = try await listing([]).encoded()
        #expect(String(decoding: listed.bytes, as: UTF8.self) == "[]")
        #expect(listed.ranges.isEmpty)
    }

    @Test func whatTheGraphThrowsPassesThrough() async {
        let useCase = ProductsUseCase(provider: FixedProductsProvider(result: .failure(.notStored)))
        await #expect(throws: ProductsFailure.notStored) { try await useCase.products(for: ProductsRequest()) }
    }
}
