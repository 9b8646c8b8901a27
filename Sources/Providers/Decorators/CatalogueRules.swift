internal import FoundationEssentials
public import Products

/// The invariants a catalogue has to keep before it may replace another.
public struct CatalogueRules: Sendable, Hashable {
    /// The fewest products.
    public var minimum: Int
    /// The share of the old catalogue's products, 0 to 1, whose loss is too much: a catalogue that lost so many, or
    /// more, is refused. At 0 none may be gone, at 1 all may.
    public var maxShrink: Double

    /// Makes rules; the defaults are the config file's.
    public init(minimum: Int = 1, maxShrink: Double = 0.5) {
        self.minimum = minimum
        self.maxShrink = maxShrink
    }

    /// Checks `new`, which would replace `old`.
    ///
    /// - Throws: `ProductsFailure.refused` with the first rule that is broken, and the product that breaks it. One
    ///   within a bundle is named by the bundle's position and the ids of both, as in `box > mug`.
    public func check(_ new: Catalogue, replacing old: Catalogue?) throws(ProductsFailure) {
        let count = new.products.count
        if count < minimum { throw .refused(.empty(count: count, minimum: minimum)) }
        if let old, isTooSmall(count, after: old.products.count) {
            throw .refused(.shrunken(from: old.products.count, to: count))
        }
        for (position, product) in new.products.enumerated() {
            try Self.checkPrices(of: product, id: product.id, at: position)
        }
    }

    /// Checks the price of a product and of all that it is made of.
    ///
    /// - Parameter id: the ids on the way from the product at `position` to this one.
    private static func checkPrices(of product: any Product, id: String, at position: Int) throws(ProductsFailure) {
        let price = product.price
        if price.amount < 0 { throw .refused(.negativePrice(id: id, position: position)) }
        if Currency(code: price.currency) == nil {
            throw .refused(.badCurrency(price.currency, id: id, position: position))
        }
        if case .giftCard(let card) = product.variant, card.denominations.contains(where: { $0 < 0 }) {
            throw .refused(.negativeDenomination(id: id, position: position))
        }
        guard case .bundle(let bundle) = product.variant else { return }
        for inner in bundle.products + (bundle.addOn.map { [$0] } ?? []) {
            try checkPrices(of: inner, id: "\(id) > \(inner.id)", at: position)
        }
    }

    private func isTooSmall(_ count: Int, after before: Int) -> Bool {
        count < before && maxShrink < 1 && Double(before - count) >= Double(before) * maxShrink
    }
}
