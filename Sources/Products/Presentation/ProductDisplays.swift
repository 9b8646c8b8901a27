import FoundationEssentials

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

/// What is shown of something that is paid for again and again: how often, and whether it can be tried first.
public struct SubscriptionProductDisplay: ProductDisplayable {
    private let product: SubscriptionProduct
    private let defaults: ProductDisplayDefaults

    /// What is shown of a product.
    public init(_ product: SubscriptionProduct, defaults: ProductDisplayDefaults) {
        self.product = product
        self.defaults = defaults
    }

    /// The default.
    public var title: String { defaults.title }
    /// The default, and how long it can be tried.
    public var subtitle: String? { DisplayText.line(defaults.subtitle, trial) }
    /// The default for each interval, as `9.99 EUR / month`.
    public var priceLabel: String { "\(defaults.priceLabel) / \(product.interval)" }
    /// The default.
    public var image: String? { defaults.image }
    /// The default, or that it can be tried.
    public var badge: String? { defaults.badge ?? trial.map { _ in "Free trial" } }
    /// The default.
    public var summary: String? { defaults.summary }
    /// The default.
    public var isSelectable: Bool { defaults.isSelectable }

    private var trial: String? {
        guard let days = product.trialDays, days > 0 else { return nil }
        return days == 1 ? "first day free" : "first \(days) days free"
    }
}

/// What is shown of money to be spent later: the amounts to choose from.
public struct GiftCardProductDisplay: ProductDisplayable {
    private let amounts: [Decimal]
    private let currency: String
    private let defaults: ProductDisplayDefaults

    /// What is shown of a product.
    public init(_ product: GiftCardProduct, defaults: ProductDisplayDefaults) {
        amounts = Set(product.denominations).sorted()
        currency = product.price.currency
        self.defaults = defaults
    }

    /// The default.
    public var title: String { defaults.title }
    /// The default.
    public var subtitle: String? { defaults.subtitle }

    /// From the least amount to the most, as `10.00 – 100.00 EUR`; the default where the source lists none.
    public var priceLabel: String {
        guard let least = amounts.first, let most = amounts.last else { return defaults.priceLabel }
        return PriceLabel.range(from: least, to: most, in: currency)
    }

    /// The default.
    public var image: String? { defaults.image }
    /// The default, or that it is a gift card.
    public var badge: String? { defaults.badge ?? "Gift card" }

    /// The default, or the amounts where the source has no words.
    public var summary: String? {
        let listed = amounts.map { PriceLabel.text($0, in: currency) }
        return defaults.summary ?? DisplayText.excerpt(listed.joined(separator: ", "))
    }

    /// Only when there is no amount to choose: one is listed, or none, and then the price is the amount.
    public var isSelectable: Bool { defaults.isSelectable && amounts.count <= 1 }
}

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
