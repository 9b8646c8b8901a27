/// What is shown of something that is downloaded: how long the download is. Not where it is, which is for those who
/// paid.
public struct DigitalProductDisplay: ProductDisplayable {
    private let product: DigitalProduct
    private let defaults: ProductDisplayDefaults

    /// What is shown of a product.
    public init(_ product: DigitalProduct, defaults: ProductDisplayDefaults) {
        self.product = product
        self.defaults = defaults
    }

    /// The default.
    public var title: String { defaults.title }
    /// The default, and the size of the download.
    public var subtitle: String? { DisplayText.line(defaults.subtitle, product.size.flatMap(SizeLabel.text)) }
    /// The default.
    public var priceLabel: String { defaults.priceLabel }
    /// The default.
    public var image: String? { defaults.image }
    /// The default, or that it is a download.
    public var badge: String? { defaults.badge ?? "Download" }
    /// The default.
    public var summary: String? { defaults.summary }
    /// The default.
    public var isSelectable: Bool { defaults.isSelectable }
}
