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
