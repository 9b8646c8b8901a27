internal import FoundationEssentials

/// Shows weight and dimensions of a product that is sent by post.
struct PhysicalProductDisplay: ProductDisplayable {
    let product: PhysicalProduct
    let defaults: ProductDisplayDefaults

    var title: String { defaults.title }
    /// Adds the weight without a unit, which the source does not state.
    var subtitle: String? { DisplayText.line(defaults.subtitle, product.weight.map { "weight \($0)" }) }
    var priceLabel: String { defaults.priceLabel }
    var image: String? { defaults.image }
    var badge: String? { defaults.badge }

    /// Falls back to the dimensions.
    var summary: String? {
        defaults.summary ?? product.dimensions.map { "\($0.width) wide, \($0.height) high, \($0.depth) deep" }
    }

    var isSelectable: Bool { defaults.isSelectable }
}

/// Shows the size of a download, but not its URL, which is for buyers.
struct DigitalProductDisplay: ProductDisplayable {
    let product: DigitalProduct
    let defaults: ProductDisplayDefaults

    var title: String { defaults.title }
    var subtitle: String? { DisplayText.line(defaults.subtitle, product.size.flatMap(SizeLabel.text)) }
    var priceLabel: String { defaults.priceLabel }
    var image: String? { defaults.image }
    var badge: String? { defaults.badge ?? "Download" }
    var summary: String? { defaults.summary }
    var isSelectable: Bool { defaults.isSelectable }
}

/// Shows the interval and the trial of a subscription.
struct SubscriptionProductDisplay: ProductDisplayable {
    let product: SubscriptionProduct
    let defaults: ProductDisplayDefaults

    var title: String { defaults.title }
    var subtitle: String? { DisplayText.line(defaults.subtitle, trial) }
    /// `9.99 EUR / month`.
    var priceLabel: String { "\(defaults.priceLabel) / \(product.interval)" }
    var image: String? { defaults.image }
    var badge: String? { defaults.badge ?? trial.map { _ in "Free trial" } }
    var summary: String? { defaults.summary }
    var isSelectable: Bool { defaults.isSelectable }

    private var trial: String? {
        guard let days = product.trialDays, days > 0 else { return nil }
        return days == 1 ? "first day free" : "first \(days) days free"
    }
}

/// Shows the amounts of a gift card.
struct GiftCardProductDisplay: ProductDisplayable {
    private let amounts: [Decimal]
    private let currency: String
    private let defaults: ProductDisplayDefaults

    init(product: GiftCardProduct, defaults: ProductDisplayDefaults) {
        amounts = Set(product.denominations).sorted()
        currency = product.price.currency
        self.defaults = defaults
    }

    var title: String { defaults.title }
    var subtitle: String? { defaults.subtitle }

    /// `10.00 – 100.00 EUR`; the default for a card without amounts.
    var priceLabel: String {
        guard let least = amounts.first, let most = amounts.last else { return defaults.priceLabel }
        return PriceLabel.range(from: least, to: most, in: currency)
    }

    var image: String? { defaults.image }
    var badge: String? { defaults.badge ?? "Gift card" }

    /// Falls back to the amounts.
    var summary: String? {
        let listed = amounts.map { PriceLabel.text($0, in: currency) }
        return defaults.summary ?? DisplayText.excerpt(listed.joined(separator: ", "))
    }

    /// False if there is an amount to choose. A card without amounts costs its price.
    var isSelectable: Bool { defaults.isSelectable && amounts.count <= 1 }
}

/// Shows the number and the names of the products in a bundle.
struct BundleProductDisplay: ProductDisplayable {
    private static let namedAtMost = 3

    private let addOn: String?
    private let contents: [String]
    private let defaults: ProductDisplayDefaults

    init(product: BundleProduct, defaults: ProductDisplayDefaults) {
        addOn = product.addOn?.name
        contents = Self.names(in: product)
        self.defaults = defaults
    }

    var title: String { defaults.title }
    var subtitle: String? { DisplayText.line(defaults.subtitle, addOn.map { "with \($0) for more" }) }
    var priceLabel: String { defaults.priceLabel }
    var image: String? { defaults.image }
    var badge: String? { defaults.badge ?? "Bundle" }

    /// `4 products: Mug, Cup, Jar and 1 more`; the default for an empty bundle. A bundle within it counts by its
    /// contents, not as a product.
    var summary: String? {
        guard !contents.isEmpty else { return defaults.summary }
        let more = contents.count - Self.namedAtMost
        let names = contents.prefix(Self.namedAtMost).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return DisplayText.excerpt("\(contents.count) product\(contents.count == 1 ? "" : "s"): \(names)")
    }

    var isSelectable: Bool { defaults.isSelectable && !contents.isEmpty }

    private static func names(in product: any Product) -> [String] {
        product.contents?.products.flatMap(names) ?? [product.name]
    }
}

/// Shows the common members of a product of an unknown kind, and the source's name of the kind.
struct KeptProductDisplay: ProductDisplayable {
    let product: KeptProduct
    let defaults: ProductDisplayDefaults

    var title: String { defaults.title }
    var subtitle: String? { defaults.subtitle ?? DisplayText.line(product.typeName) }
    var priceLabel: String { defaults.priceLabel }
    var image: String? { defaults.image }
    var badge: String? { defaults.badge }
    var summary: String? { defaults.summary }
    /// False, since the choices of an unknown kind are unknown.
    var isSelectable: Bool { false }
}
