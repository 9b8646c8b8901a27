/// Asks the graph for products and applies the business rule to them.
public struct ProductsUseCase: Sendable {
    private let provider: any ProductsProvider
    private let prompt: (any PromptProductsProvider)?
    private let popularity: PopularityRule

    /// Creates a use case for the graph with this root.
    public init(provider: some ProductsProvider, popularity: PopularityRule = PopularityRule()) {
        self.provider = provider
        prompt = provider as? any PromptProductsProvider
        self.popularity = popularity
    }

    /// Answers the request.
    public func products(for request: ProductsRequest) async throws -> ProductsListing {
        ProductsListing(answer: try await provider.products(for: request), popularity: popularity)
    }

    /// Answers if that is possible without waiting; nil otherwise.
    public func productsAtHand(for request: ProductsRequest) throws -> ProductsListing? {
        try prompt?.answerAtHand(for: request).map { ProductsListing(answer: $0, popularity: popularity) }
    }
}

/// An answer of the graph with the rule for popular products.
public struct ProductsListing: Sendable {
    /// The answer of the graph.
    public let answer: ProductsAnswer
    /// The rule for popular products.
    public let popularity: PopularityRule

    /// Creates a listing.
    public init(answer: ProductsAnswer, popularity: PopularityRule) {
        self.answer = answer
        self.popularity = popularity
    }

    /// Encodes the products for clients. The result depends on the revision and the rule only, takes some milliseconds for
    /// ten thousand products, and is not kept: call it once per revision, off the event loops.
    public func encoded() -> ListedCatalogue {
        ListedCatalogue(answer.snapshot.catalogue, popularity: popularity)
    }
}

/// The business rule for popular products: more sales than a bound.
public struct PopularityRule: Sendable, Hashable {
    /// The bound.
    public let salesOver: Int

    /// Creates a rule.
    public init(salesOver: Int = 100) {
        self.salesOver = salesOver
    }

    /// Whether the product has more sales than the bound.
    public func isPopular(_ product: any Product) -> Bool {
        product.sales > salesOver
    }
}
