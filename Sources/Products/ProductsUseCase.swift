/// Asks the graph for products, and marks popular ones.
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

    /// Returns the listing for an answer of the graph or of a lease.
    package func listing(_ answer: ProductsAnswer) -> ProductsListing {
        ProductsListing(answer: answer, popularity: popularity)
    }

    /// Marks the products of a catalogue, and those within bundles. A product is popular if its sales exceed the rule's
    /// bound.
    ///
    /// The result depends on the revision and the rule only, takes some milliseconds for ten thousand products, and is
    /// not kept: call it once per revision, off the event loops.
    package static func marked(_ catalogue: Catalogue, by rule: PopularityRule) -> ListedCatalogue {
        ListedCatalogue(catalogue, by: rule) { sales in sales > rule.salesOver }
    }
}

/// An answer of the graph with the rule for popular products.
package struct ProductsListing: Sendable {
    package let answer: ProductsAnswer
    package let popularity: PopularityRule

    /// Encodes the products for clients; see ``ProductsUseCase/marked(_:by:)``.
    package func encoded() -> ListedCatalogue {
        ProductsUseCase.marked(answer.snapshot.catalogue, by: popularity)
    }
}
