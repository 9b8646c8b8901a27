import FoundationEssentials

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
