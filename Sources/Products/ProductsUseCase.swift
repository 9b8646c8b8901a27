/// Asks the graph for products and marks those as popular that sell well.
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

    /// Marks the products of a catalogue, and those within bundles: popular is one with more sales than the rule's bound.
    ///
    /// The result depends on the revision and the rule only, takes some milliseconds for ten thousand products, and is not
    /// kept: call it once per revision, off the event loops.
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
