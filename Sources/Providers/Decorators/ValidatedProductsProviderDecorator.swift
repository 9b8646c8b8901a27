public import Configuration
public import CoreMetrics
public import Products

/// Refuses a catalogue that breaks an invariant, so that nothing above ever sees it.
///
/// Shrinkage is measured against the request's last good snapshot, which whoever keeps one (`memory`, `caching`) passes
/// down; without one a first catalogue of any size is taken. Ids are unique by construction of `Catalogue`.
public struct ValidatedProductsProviderDecorator: ProductsProvider {
    /// `type: validated` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
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

    /// Decorates `upstream`.
    ///
    /// - Parameter metrics: where refusals are recorded; nowhere unless given.
    public init(
        upstream: any ProductsProvider, rules: CatalogueRules = CatalogueRules(), metrics: (any MetricsFactory)? = nil
    ) {
        self.upstream = upstream
        self.rules = rules
        refusals = RefusalMeter(metrics)
    }

    /// The upstream's answer, if its catalogue is to be believed; else throws `ProductsFailure.refused`.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        let new = answer.snapshot.catalogue
        let old = request.lastGood?.catalogue
        if let old, old.revision == new.revision { return answer }
        try await offLoop { [rules, refusals] in
            try refusals.counting { try rules.check(new, replacing: old) }
        }
        return answer
    }
}
