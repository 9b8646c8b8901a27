/// What is shown of something whose kind is not known here: what all products have, and the source's word for the kind.
public struct KeptProductDisplay: ProductDisplayable {
    private let product: KeptProduct
    private let defaults: ProductDisplayDefaults

    /// What is shown of a product.
    public init(_ product: KeptProduct, defaults: ProductDisplayDefaults) {
        self.product = product
        self.defaults = defaults
    }

    /// The default.
    public var title: String { defaults.title }
    /// The default, or the name of the kind.
    public var subtitle: String? { defaults.subtitle ?? DisplayText.line(product.typeName) }
    /// The default.
    public var priceLabel: String { defaults.priceLabel }
    /// The default.
    public var image: String? { defaults.image }
    /// The default.
    public var badge: String? { defaults.badge }
    /// The default.
    public var summary: String? { defaults.summary }
    /// Never: what has to be chosen with a product of that kind is not known.
    public var isSelectable: Bool { false }
}
