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
