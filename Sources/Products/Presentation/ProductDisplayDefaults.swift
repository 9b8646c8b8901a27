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
