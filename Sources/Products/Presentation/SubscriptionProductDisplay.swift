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
