/// What a document held: its products, and what was left out of them because the caller allowed that.
public struct DecodedProducts: Sendable {
    /// The products, in the order of the document.
    public var products: [any Product]
    /// What was left out, in the order of the document.
    public var skipped: [SkippedItem]

    /// The products of a document.
    public init(products: [any Product] = [], skipped: [SkippedItem] = []) {
        self.products = products
        self.skipped = skipped
    }
}
