internal import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import Products

/// Refuses a catalogue that breaks an invariant, so that no provider above ever sees it.
///
/// Shrinkage is measured against the baseline; without one a catalogue of any size is accepted. While it cannot be read,
/// catalogues pass unchecked by it, and the trail says so. Ids are unique by construction of `Catalogue`.
package struct ValidatedProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let rules: CatalogueRules
    private let baseline: CatalogueBaseline
    private let refusals: RefusalMeter

    package init(
        name: String = "validated", upstream: any ProductsProvider, rules: CatalogueRules = CatalogueRules(),
        baseline: CatalogueBaseline = CatalogueBaseline(), metrics: (any MetricsFactory)? = nil
    ) {
        (self.name, self.upstream) = (name, upstream)
        (self.rules, self.baseline) = (rules, baseline)
        refusals = RefusalMeter(metrics)
    }

    /// Returns the upstream's answer; throws `ProductsFailure.refused` if its catalogue breaks a rule.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let (old, isKnown) = await baseline.size(for: request)
        let answer = try await upstream.products(for: request)
        let new = answer.snapshot.catalogue
        if old?.revision != new.revision {
            try await offLoop { [rules, refusals] in
                try refusals.counting {
                    try rules.check(new, replacing: old?.count, accepted: old?.isChecked == true ? old?.revision : nil)
                }
            }
        }
        guard isKnown else { return answer.adding(TrailStep(node: name, outcome: .unchecked)) }
        let isChecked = old?.revision != new.revision || old?.isChecked == true
        let next = baseline.accept(answer, for: request, isChecked: isChecked) ? new.revision : old?.revision
        return answer.passingLease(ofAnyCatalogue: false, while: baseline.isStill(next, for: request))
    }
}

/// The invariants of a catalogue that may replace another.
package struct CatalogueRules: Sendable, Hashable {
    package var minimum: Int
    /// The share of the old catalogue's products, 0 to 1, at whose loss a catalogue is refused. At 0 none may be gone, at 1
    /// all may.
    package var maxShrink: Double

    package init(minimum: Int = 1, maxShrink: Double = 0.5) {
        self.minimum = minimum
        self.maxShrink = maxShrink
    }

    /// Checks a catalogue.
    ///
    /// - Parameters:
    ///   - before: the number of products that it would replace; nil if that is unknown.
    ///   - accepted: a revision whose products passed: those of them that are in this one are not checked again.
    /// - Throws: `ProductsFailure.refused` with the first broken rule and the product that breaks it. A product within a
    ///   bundle is named by the bundle's position and the ids of both, as in `box > mug`.
    package func check(
        _ new: Catalogue, replacing before: Int?, accepted: String? = nil
    ) throws(ProductsFailure) {
        let count = new.count
        if count < minimum { throw .refused(.empty(count: count, minimum: minimum)) }
        if let before, isTooSmall(count, after: before) { throw .refused(.shrunken(from: before, to: count)) }
        if let changes = new.changes, changes.revision == accepted {
            for position in changes.positions {
                try Self.checkPrices(of: new.text(at: position), within: [], at: position)
            }
        } else {
            for (position, product) in new.texts.enumerated() {
                try Self.checkPrices(of: product, within: [], at: position)
            }
        }
    }

    /// Checks the price of a product and of the products within it.
    ///
    /// - Parameter outer: the products from the one at `position` down to this one.
    private static func checkPrices(
        of product: ProductText, within outer: [ProductText], at position: Int
    ) throws(ProductsFailure) {
        var id: String { (outer + [product]).map(\.id).joined(separator: " > ") }
        if product.isNegative { throw .refused(.negativePrice(id: id, position: position)) }
        if Currency(code: product.currency) == nil {
            throw .refused(.badCurrency(product.currency, id: id, position: position))
        }
        if product.hasNegativeDenomination { throw .refused(.negativeDenomination(id: id, position: position)) }
        for inner in product.contents { try checkPrices(of: inner, within: outer + [product], at: position) }
    }

    private func isTooSmall(_ count: Int, after before: Int) -> Bool {
        count < before && maxShrink < 1 && Double(before - count) >= Double(before) * maxShrink
    }
}
