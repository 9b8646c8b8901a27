package import Configuration
internal import CoreMetrics
internal import Persistence
internal import Products
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
            .optional(
                "baseline", .component(StoreFamily.self),
                "the store whose catalogue is the last good one after a start; usually that of caching above"),
        ],
        example: """
            { type: validated, minimum: 10, baseline: { type: json_file, directory: /var/lib/larder }, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let rules = CatalogueRules(
                minimum: reader.integer("minimum", in: 0...Int.max), maxShrink: reader.ratio("max_shrink"))
            let store = reader.optionalComponent("baseline", StoreFamily.self)
            let variations = upstream.outline.variations
            if store != nil { checkVariations(variations, reader) }
            let name = reader.name
            return { assembly in
                let store = try store?.instantiate(in: assembly)
                let baseline = assembly.state { previous in
                    CatalogueBaseline(store: store, division: VariantKey(variations), following: previous)
                }
                return ValidatedProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly), rules: rules, baseline: baseline,
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })

    /// Reports an error if answers vary: a store holds one catalogue, which is no baseline for several.
    private static func checkVariations(_ variations: [RequestVariation], _ reader: FieldReader) {
        guard let header = variations.first?.header else { return }
        reader.report(
            .error, at: "baseline",
            "answers from here vary by the header \"\(header)\", and one store is no baseline for all; put \"validated\" "
                + "below what decides by it")
    }
}
