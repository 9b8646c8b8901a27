public import Products

/// A catalogue that a provider keeps.
public struct KeptSnapshot: Sendable {
    /// The catalogue.
    public let snapshot: ProductsSnapshot
    /// Whether it may be served, if nothing newer can be had.
    public let isServable: Bool
    /// How fresh it is, and whether its source fails; nil where nobody can tell.
    public let freshness: Freshness?

    /// A kept catalogue.
    public init(snapshot: ProductsSnapshot, isServable: Bool, freshness: Freshness? = nil) {
        self.snapshot = snapshot
        self.isServable = isServable
        self.freshness = freshness
    }
}
