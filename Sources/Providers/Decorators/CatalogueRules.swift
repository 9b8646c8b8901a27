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
    /// - Throws: `ProductsFailure.refused` with the first rule that is broken, and the product that breaks it.
    public func check(_ new: Catalogue, replacing old: Catalogue?) throws(ProductsFailure) {
        let count = new.products.count
        if count < minimum { throw .refused(.empty(count: count, minimum: minimum)) }
        if let old, isTooSmall(count, after: old.products.count) {
            throw .refused(.shrunken(from: old.products.count, to: count))
        }
        for (position, product) in new.products.enumerated() {
            if product.price.amount < 0 { throw .refused(.negativePrice(id: product.id, position: position)) }
            let currency = product.price.currency
            if !CurrencyCodes.isKnown(currency) {
                throw .refused(.badCurrency(currency, id: product.id, position: position))
            }
        }
    }

    private func isTooSmall(_ count: Int, after before: Int) -> Bool {
        count < before && maxShrink < 1 && Double(before - count) >= Double(before) * maxShrink
    }
}
