/// Asks the graph for products and applies the business rule to them.
public struct ProductsUseCase: Sendable {
    private let provider: any ProductsProvider
    /// The same provider, if it may have answers at hand.
    private let prompt: (any PromptProductsProvider)?
    private let popularity: PopularityRule

    /// A use case on top of the graph that `provider` is the root of.
    public init(provider: some ProductsProvider, popularity: PopularityRule = PopularityRule()) {
        self.provider = provider
        prompt = provider as? any PromptProductsProvider
        self.popularity = popularity
    }

    /// The catalogue for the request, with the rule by which its products are popular.
    public func products(for request: ProductsRequest) async throws -> ProductsListing {
        ProductsListing(answer: try await provider.products(for: request), popularity: popularity)
    }

    /// The same if it is at hand; nil if it has to be waited for.
    public func productsAtHand(for request: ProductsRequest) throws -> ProductsListing? {
        try prompt?.answerAtHand(for: request).map { ProductsListing(answer: $0, popularity: popularity) }
    }
}
