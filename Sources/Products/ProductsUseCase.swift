/// Asks the graph for products and applies the business rule to them.
public struct ProductsUseCase: Sendable {
    private let provider: any ProductsProvider
    private let popularity: PopularityRule

    /// A use case on top of the graph that `provider` is the root of.
    public init(provider: some ProductsProvider, popularity: PopularityRule = PopularityRule()) {
        self.provider = provider
        self.popularity = popularity
    }

    /// The catalogue for the request, with the rule by which its products are popular.
    public func products(for request: ProductsRequest) async throws -> ProductsListing {
        ProductsListing(answer: try await provider.products(for: request), popularity: popularity)
    }
}
