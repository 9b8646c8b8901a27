internal import JSON
internal import Products

extension AttributePolicy {
    /// A product with no other attributes than these, which goes for the products within it, too.
    func applied(to product: any Product) -> any Product {
        switch product.variant {
        case .physical(var product):
            apply(to: &product.details)
            return product
        case .digital(var product):
            apply(to: &product.details)
            return product
        case .subscription(var product):
            apply(to: &product.details)
            return product
        case .bundle(var product):
            apply(to: &product.details)
            return appliedWithin(product)
        case .giftCard(var product):
            apply(to: &product.details)
            return product
        case .kept(var product):
            apply(to: &product.details)
            return product
        }
    }

    /// A bundle whose own attributes are as they should be already, and those of the products within it not yet.
    func appliedWithin(_ bundle: BundleProduct) -> BundleProduct {
        var bundle = bundle
        bundle.products = bundle.products.map(applied)
        bundle.addOn = bundle.addOn.map(applied)
        return bundle
    }

    private func apply(to details: inout ProductDetails) {
        let kept = details.attributes.members.filter { keeps($0.key) }
        details.attributes = JSONObject(kept.map { ($0.key, $0.value) })
    }
}
