internal import Concurrency
package import Configuration
package import CoreMetrics
internal import FoundationEssentials
package import Products

/// Refuses a catalogue that breaks an invariant, so that no provider above ever sees it.
///
/// Shrinkage is measured against the request's last good snapshot, which `memory` and `caching` pass down; without one a
/// catalogue of any size is accepted. Ids are unique by construction of `Catalogue`.
package struct ValidatedProductsProviderDecorator: ProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "validated",
        summary: "refuses a catalogue that breaks an invariant",
        fields: [
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
            .defaulted("minimum", .integer, "1", "the fewest products a catalogue may have"),
            .defaulted(
                "max_shrink", .ratio, "0.5",
                "refused when this share of the last good catalogue's products, or more, is gone; 1 lets it shrink"
            ),
        ],
        example: """
            { type: validated, minimum: 10, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let rules = CatalogueRules(
                minimum: reader.integer("minimum", in: 0...Int.max), maxShrink: reader.ratio("max_shrink"))
            return { assembly in
                ValidatedProductsProviderDecorator(
                    upstream: try upstream.instantiate(in: assembly), rules: rules,
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })

    private let upstream: any ProductsProvider
    private let rules: CatalogueRules
    private let refusals: RefusalMeter

    package init(
        upstream: any ProductsProvider, rules: CatalogueRules = CatalogueRules(), metrics: (any MetricsFactory)? = nil
    ) {
        self.upstream = upstream
        self.rules = rules
        refusals = RefusalMeter(metrics)
    }

    /// Returns the upstream's answer; throws `ProductsFailure.refused` if its catalogue breaks a rule.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        let new = answer.snapshot.catalogue
        let old = request.lastGood?.catalogue
        if let old, old.revision == new.revision { return answer.passingLease(ofAnyCatalogue: false) }
        try await offLoop { [rules, refusals] in
            try refusals.counting { try rules.check(new, replacing: old) }
        }
        return answer.passingLease(ofAnyCatalogue: false)
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

    /// Checks `new`, which would replace `old`.
    ///
    /// - Throws: `ProductsFailure.refused` with the first broken rule and the product that breaks it. A product within a
    ///   bundle is named by the bundle's position and the ids of both, as in `box > mug`.
    package func check(_ new: Catalogue, replacing old: Catalogue?) throws(ProductsFailure) {
        let count = new.products.count
        if count < minimum { throw .refused(.empty(count: count, minimum: minimum)) }
        if let old, isTooSmall(count, after: old.products.count) {
            throw .refused(.shrunken(from: old.products.count, to: count))
        }
        for (position, product) in new.products.enumerated() {
            try Self.checkPrices(of: product, id: product.id, at: position)
        }
    }

    /// Checks the price of a product and of the products within it.
    ///
    /// - Parameter id: the ids from the product at `position` down to this one.
    private static func checkPrices(of product: any Product, id: String, at position: Int) throws(ProductsFailure) {
        let price = product.price
        if price.amount < 0 { throw .refused(.negativePrice(id: id, position: position)) }
        if Currency(code: price.currency) == nil {
            throw .refused(.badCurrency(price.currency, id: id, position: position))
        }
        if product.denominations.contains(where: { $0 < 0 }) {
            throw .refused(.negativeDenomination(id: id, position: position))
        }
        for inner in product.contents?.all ?? [] {
            try checkPrices(of: inner, id: "\(id) > \(inner.id)", at: position)
        }
    }

    private func isTooSmall(_ count: Int, after before: Int) -> Bool {
        count < before && maxShrink < 1 && Double(before - count) >= Double(before) * maxShrink
    }
}
