package import Configuration
internal import CoreMetrics
package import Providers

extension ValidatedProductsProviderDecorator {
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
}
