/// Asks the graph for products and applies the business rule to them.
package struct ProductsUseCase: Sendable {
    private let provider: any ProductsProvider
    private let popularity: PopularityRule

    /// Creates a use case for the graph with this root.
    package init(provider: some ProductsProvider, popularity: PopularityRule = PopularityRule()) {
        self.provider = provider
        self.popularity = popularity
    }

    /// Answers the request.
    package func products(for request: ProductsRequest) async throws -> ProductsListing {
        listing(try await provider.products(for: request))
    }

    /// Answers with what the graph has answered, or a lease of it.
    package func listing(_ answer: ProductsAnswer) -> ProductsListing {
        ProductsListing(answer: answer, popularity: popularity)
    }
}

/// An answer of the graph with the rule for popular products.
package struct ProductsListing: Sendable {
    package let answer: ProductsAnswer
    package let popularity: PopularityRule

    package init(answer: ProductsAnswer, popularity: PopularityRule) {
        self.answer = answer
        self.popularity = popularity
    }

    /// Encodes the products for clients. The result depends on the revision and the rule only, takes some milliseconds for
    /// ten thousand products, and is not kept: call it once per revision, off the event loops.
    package func encoded() -> ListedCatalogue {
        ListedCatalogue(answer.snapshot.catalogue, popularity: popularity)
    }
}

/// The business rule for popular products: more sales than a bound.
public struct PopularityRule: Sendable, Hashable {
    package let salesOver: Int

    package init(salesOver: Int = 100) {
        self.salesOver = salesOver
    }

    /// Whether the product has more sales than the bound.
    package func isPopular(_ product: any Product) -> Bool {
        product.sales > salesOver
    }
}
