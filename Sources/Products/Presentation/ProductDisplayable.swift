/// What a shop's page shows of one product, decided by the product's kind.
///
/// Each kind has one conforming type, and no member has a default implementation. What kinds share is a
/// ``ProductDisplayDefaults``, which each reads where it chooses to, so a new member must be thought about for every
/// kind. The texts are in English, those that come from the source in the source's language.
public protocol ProductDisplayable: Sendable {
    /// The heading.
    var title: String { get }
    /// One line below the heading.
    var subtitle: String? { get }
    /// What it costs, in the form `19.99 EUR`.
    var priceLabel: String { get }
    /// Where a picture is.
    var image: String? { get }
    /// A word or two that stand out.
    var badge: String? { get }
    /// One line about what it is.
    var summary: String? { get }
    /// Whether it can be put into a basket as it stands, with nothing left to choose or to find out.
    var isSelectable: Bool { get }
}

/// What is shown of a product when its kind has nothing better, as a value for each kind to read by choice.
public struct ProductDisplayDefaults: Sendable, Hashable {
    /// The product's name, or its id where the source left the name empty.
    public let title: String
    /// What it is listed under.
    public let subtitle: String?
    /// Its price, with the digits of the currency.
    public let priceLabel: String
    /// Where a picture of it is.
    public let image: String?
    /// `Popular`, when the rule says so.
    public let badge: String?
    /// The beginning of its description, in one line.
    public let summary: String?
    /// True.
    public let isSelectable: Bool

    /// The defaults for a product.
    public init(_ product: some Product, popularity: PopularityRule) {
        let details = product.details
        title = details.name.isEmpty ? details.id : details.name
        subtitle = DisplayText.line(details.category)
        priceLabel = PriceLabel.text(details.price)
        image = details.imageURL.flatMap { $0.isEmpty ? nil : $0 }
        badge = popularity.isPopular(product) ? "Popular" : nil
        summary = details.description.flatMap(DisplayText.excerpt)
        isSelectable = true
    }
}

extension ProductVariant {
    /// What is shown of the product. The one place in the program that picks a type by kind.
    public func display(popularity: PopularityRule) -> any ProductDisplayable {
        func defaults(_ product: some Product) -> ProductDisplayDefaults {
            ProductDisplayDefaults(product, popularity: popularity)
        }
        return switch self {
        case .physical(let product): PhysicalProductDisplay(product, defaults: defaults(product))
        case .digital(let product): DigitalProductDisplay(product, defaults: defaults(product))
        case .subscription(let product): SubscriptionProductDisplay(product, defaults: defaults(product))
        case .bundle(let product): BundleProductDisplay(product, defaults: defaults(product))
        case .giftCard(let product): GiftCardProductDisplay(product, defaults: defaults(product))
        case .kept(let product): KeptProductDisplay(product, defaults: defaults(product))
        }
    }
}
