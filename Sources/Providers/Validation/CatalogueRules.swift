package import Products
package import Querying

/// The invariants of a catalogue that may replace another.
package struct CatalogueRules: Sendable, Hashable {
    package var minimum: Int
    /// The share of the old catalogue's products, 0 to 1, whose loss is refused. At 0 no product may be lost, at 1 all
    /// may.
    package var maxShrink: Double
    /// The bounds beyond which a catalogue is refused.
    package var limits: ChangeBounds
    /// The bounds beyond which a catalogue is withheld.
    package var warnings: ChangeBounds
    /// The time after which a withheld catalogue passes by itself.
    package var hold: Duration
    /// The groups to which the bounds also apply, except the bound of complete products.
    package var each: ProductGroup?
    /// The members that make a product complete.
    package var required: [String]
    /// The least price of a product; nil for none.
    package var minimumPrice: MinimumPrice?
    /// The members whose values each belong to one product, variants' members included.
    package var unique: [FindableMembers.Key]

    package init(
        minimum: Int = 1, maxShrink: Double = 0.5, limits: ChangeBounds = ChangeBounds(),
        warnings: ChangeBounds = ChangeBounds(), hold: Duration = .seconds(600), each: ProductGroup? = nil,
        required: [String] = [], minimumPrice: MinimumPrice? = nil, unique: [FindableMembers.Key] = []
    ) {
        (self.minimum, self.maxShrink) = (minimum, maxShrink)
        (self.limits, self.warnings, self.hold) = (limits, warnings, hold)
        (self.each, self.required, self.minimumPrice) = (each, required, minimumPrice)
        self.unique = unique
    }

    /// Whether the old catalogue's products are compared, not only counted.
    package var comparesContent: Bool {
        [limits, warnings].contains { $0.comparesContent || each != nil && $0.growth != nil }
    }

    /// The decision about a catalogue, with its counts for the next comparison if the rules need them.
    enum Verdict {
        case passes(CatalogueProfile?)
        case withheld(RefusalReason, CatalogueProfile?)
        case refused(ProductsFailure)
    }

    /// Decides about a catalogue by all rules.
    ///
    /// - Parameter old: the catalogue that it would replace; nil if that is unknown.
    func verdict(on new: Catalogue, replacing old: CatalogueBaseline.Size?) -> Verdict {
        do throws(ProductsFailure) {
            try check(new, replacing: old?.count, accepted: old?.isChecked == true ? old?.revision : nil)
        } catch {
            return .refused(error)
        }
        guard limits != ChangeBounds() || warnings != ChangeBounds() else { return .passes(nil) }
        let comparison = CatalogueComparison(of: new, with: old, by: self)
        if let reason = comparison.reason(beyond: limits) { return .refused(.refused(reason)) }
        return comparison.reason(beyond: warnings).map { .withheld($0, comparison.after) } ?? .passes(comparison.after)
    }

    /// Checks a catalogue by itself, and its size.
    ///
    /// - Parameters:
    ///   - before: the number of products that it would replace; nil if that is unknown.
    ///   - accepted: a revision whose products passed; products that it shares with this one are not checked again.
    /// - Throws: `ProductsFailure.refused` with the first broken rule and the product that breaks it. A product within
    ///   a bundle is named by the bundle's position and the ids of both, as in `box > mug`.
    package func check(
        _ new: Catalogue, replacing before: Int?, accepted: String? = nil
    ) throws(ProductsFailure) {
        let count = new.count
        if count < minimum { throw .refused(.empty(count: count, minimum: minimum)) }
        if let before, isTooSmall(count, after: before) { throw .refused(.shrunken(from: before, to: count)) }
        if let changes = new.changes, changes.revision == accepted {
            for position in changes.positions {
                try checkPrices(of: new.text(at: position), within: [], at: position)
            }
        } else {
            for (position, product) in new.texts.enumerated() {
                try checkPrices(of: product, within: [], at: position)
            }
        }
        for key in unique {
            guard let duplicate = KeyIndex(key, of: new).duplicates.first else { continue }
            let ids = duplicate.holders.map { $0.name(in: new) }
            throw .refused(.sharedKey(duplicate.value, members: key.name, id: ids[0], other: ids[1]))
        }
    }

    /// Checks the price of a product and of the products within it. Only the product itself has a least price.
    ///
    /// - Parameter outer: the products from the one at `position` down to this one.
    private func checkPrices(
        of product: ProductText, within outer: [ProductText], at position: Int
    ) throws(ProductsFailure) {
        var id: String { (outer + [product]).map(\.id).joined(separator: " > ") }
        if product.isNegative { throw .refused(.negativePrice(id: id, position: position)) }
        if !product.hasKnownCurrency {
            throw .refused(.badCurrency(product.currency, id: id, position: position))
        }
        let isCompound = product.isCompound
        if isCompound {
            if product.hasNegativeDenomination { throw .refused(.negativeDenomination(id: id, position: position)) }
        }
        if outer.isEmpty, let minimumPrice, let price = product.price(below: minimumPrice) {
            throw .refused(
                .lowPrice(
                    "\(price.amount) \(product.currency)", member: price.member, minimum: "\(minimumPrice)", id: id,
                    position: position))
        }
        guard isCompound else { return }
        for inner in product.contents { try checkPrices(of: inner, within: outer + [product], at: position) }
    }

    private func isTooSmall(_ count: Int, after before: Int) -> Bool {
        count < before && maxShrink < 1 && Double(before - count) >= Double(before) * maxShrink
    }
}

/// The bounds of the difference between a catalogue and the previous one, as shares of the old products, 0 to 1; nil
/// for no bound.
package struct ChangeBounds: Sendable, Hashable {
    /// The bound of the prices that move.
    package struct Prices: Sendable, Hashable {
        /// A price that moved by more than this factor, up or down, counts.
        package var factor: PriceFactor
        /// The share of the products in both catalogues.
        package var share: Double

        package init(factor: PriceFactor, share: Double) {
            (self.factor, self.share) = (factor, share)
        }
    }

    package var growth: Double?
    package var added: Double?
    package var removed: Double?
    package var changed: Double?
    package var prices: Prices?
    /// The least share of complete products in the new catalogue.
    package var complete: Double?

    package init(
        growth: Double? = nil, added: Double? = nil, removed: Double? = nil, changed: Double? = nil,
        prices: Prices? = nil, complete: Double? = nil
    ) {
        (self.growth, self.added, self.removed, self.changed) = (growth, added, removed, changed)
        (self.prices, self.complete) = (prices, complete)
    }

    fileprivate var comparesContent: Bool {
        added != nil || removed != nil || changed != nil || prices != nil || complete != nil
    }
}

/// A member that divides products into groups.
package enum ProductGroup: String, Sendable, CaseIterable {
    case type
    case category

    /// The least size of a group that is judged by itself; a share of fewer products means little.
    static let floor = 10

    /// The groups of a product, as messages name them.
    func names(of product: ProductText) -> Set<String> {
        switch self {
        case .type: return ["type \"\(product.typeName)\""]
        case .category:
            let categories = product.categoryTitles
            return categories.isEmpty ? ["no category"] : Set(categories.map { "category \"\($0)\"" })
        }
    }
}
