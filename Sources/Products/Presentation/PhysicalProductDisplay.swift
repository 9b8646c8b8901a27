/// What is shown of something that is sent by post: how heavy and how big it is.
public struct PhysicalProductDisplay: ProductDisplayable {
    private let product: PhysicalProduct
    private let defaults: ProductDisplayDefaults

    /// What is shown of a product.
    public init(_ product: PhysicalProduct, defaults: ProductDisplayDefaults) {
        self.product = product
        self.defaults = defaults
    }

    /// The default.
    public var title: String { defaults.title }

    /// The default, and the weight, without a unit since the source does not tell it.
    public var subtitle: String? {
        DisplayText.line(defaults.subtitle, product.weight.map { "weight \($0)" })
    }

    /// The default.
    public var priceLabel: String { defaults.priceLabel }
    /// The default.
    public var image: String? { defaults.image }
    /// The default.
    public var badge: String? { defaults.badge }

    /// The default, or the dimensions where the source has no words.
    public var summary: String? {
        defaults.summary ?? product.dimensions.map { "\($0.width) wide, \($0.height) high, \($0.depth) deep" }
    }

    /// The default.
    public var isSelectable: Bool { defaults.isSelectable }
}
