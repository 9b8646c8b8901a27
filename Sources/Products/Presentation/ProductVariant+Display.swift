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
