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

/// What the use case answers: products, and which of them are popular.
public struct ProductsListing: Sendable {
    /// What the graph answered.
    public let answer: ProductsAnswer
    /// The rule that makes a product popular.
    public let popularity: PopularityRule

    /// A listing of an answer.
    public init(answer: ProductsAnswer, popularity: PopularityRule) {
        self.answer = answer
        self.popularity = popularity
    }

    /// Whether the product is popular by this listing's rule.
    public func isPopular(_ product: any Product) -> Bool {
        popularity.isPopular(product)
    }

    /// The products as clients see them. It depends on nothing but the revision and the rule, takes some milliseconds
    /// for ten thousand products, and is not kept here: call it once per revision, off the event loops.
    public func encoded() -> ListedCatalogue {
        ListedCatalogue(answer.snapshot.catalogue, popularity: popularity)
    }
}

/// The business rule for popular products: more than so many sales.
public struct PopularityRule: Sendable, Hashable {
    /// The number of sales a popular product has more of.
    public let salesOver: Int

    /// A rule with this bound.
    public init(salesOver: Int = 100) {
        self.salesOver = salesOver
    }

    /// Whether the product has more sales than the bound.
    public func isPopular(_ product: any Product) -> Bool {
        product.sales > salesOver
    }
}
