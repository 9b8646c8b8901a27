/// What is shown of several products sold as one: how many, and which.
public struct BundleProductDisplay: ProductDisplayable {
    private static let namedAtMost = 3

    private let addOn: String?
    private let contents: [String]
    private let defaults: ProductDisplayDefaults

    /// What is shown of a product.
    public init(_ product: BundleProduct, defaults: ProductDisplayDefaults) {
        addOn = product.addOn?.name
        contents = Self.names(in: product)
        self.defaults = defaults
    }

    /// The default.
    public var title: String { defaults.title }
    /// The default, and what can be had with it for more.
    public var subtitle: String? { DisplayText.line(defaults.subtitle, addOn.map { "with \($0) for more" }) }
    /// The default.
    public var priceLabel: String { defaults.priceLabel }
    /// The default.
    public var image: String? { defaults.image }
    /// The default, or that it is a bundle.
    public var badge: String? { defaults.badge ?? "Bundle" }

    /// The number of products in it and the first names of them, as `4 products: Mug, Cup, Jar and 1 more`; the default
    /// when there are none. Bundles within it count by what is in them, not as products of their own.
    public var summary: String? {
        guard !contents.isEmpty else { return defaults.summary }
        let more = contents.count - Self.namedAtMost
        let names = contents.prefix(Self.namedAtMost).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return DisplayText.excerpt("\(contents.count) product\(contents.count == 1 ? "" : "s"): \(names)")
    }

    /// Not while nothing is in it.
    public var isSelectable: Bool { defaults.isSelectable && !contents.isEmpty }

    private static func names(in bundle: BundleProduct) -> [String] {
        bundle.products.flatMap { product in
            (product as? BundleProduct).map(names) ?? [product.name]
        }
    }
}
