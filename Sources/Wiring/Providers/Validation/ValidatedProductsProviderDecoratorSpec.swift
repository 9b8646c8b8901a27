internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Decoding
internal import Logging
internal import Persistence
internal import Products
package import Providers
internal import Querying

extension ValidatedProductsProviderDecorator {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "validated",
        summary: "refuses a catalogue that breaks an invariant, or differs too much from the one before",
        fields: [
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
            .defaulted(
                "profile", .choice(GateProfile.self), "usual",
                "the values of the keys that are absent: usual those below; strict a max_shrink and max_removed of 0.2, a "
                    + "max_price_change of 0.1 by 3, a warn_max_removed of 0.1, a warn_max_growth of 0.5, a "
                    + "warn_max_price_change of 0.2 by 1.5, and a hold of 1h"),
            .defaulted("minimum", .integer, "1", "the fewest products a catalogue may have"),
            .defaulted(
                "max_shrink", .ratio, "0.5",
                "refused when this share of the last good catalogue's products, or more, is gone; 1 lets it shrink"
            ),
        ] + RuleFields.limits + [
            FieldSpec.minimumPrice("refused when a product costs less, such as 0.01; none when absent"),
            .optional(
                "unique", .list(.any),
                "members that no two products share, each a path or a list of paths, such as [gtin, [sku, variants.*.sku]]"
            ),
            .optional("required", .list(.string), "members that products must have, neither null nor empty"),
            .defaulted("required_share", .ratio, "1", "refused when a smaller share of the products has them all"),
            .optional(
                "each", .choice(ProductGroup.self),
                "applies the bounds also to the products of each type or category, of which there were at least 10"),
        ] + RuleFields.warnings + [
            .defaulted("hold", .duration, "10m", "how long a catalogue beyond a warn_ bound waits for an operator"),
            .optional(
                "baseline", .component(StoreFamily.self),
                "the store whose catalogue is the last good one after a start; usually that of caching above"),
        ],
        example: """
            { type: validated, minimum: 10, max_price_change: { factor: 3, share: 0.3 }, warn_max_removed: 0.1, \
            baseline: { type: json_file, directory: /var/lib/larder }, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let rules = RuleFields.rules(reader)
            let store = reader.optionalComponent("baseline", StoreFamily.self)
            let variations = upstream.outline.variations
            if store != nil { checkVariations(variations, reader) }
            let name = reader.name
            return { assembly in
                let store = try store?.instantiate(in: assembly)
                let baseline = assembly.state { previous in
                    CatalogueBaseline(
                        store: store, division: VariantKey(variations), keepsContent: rules.comparesContent,
                        following: previous)
                }
                return ValidatedProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly), rules: rules, baseline: baseline,
                    wallClock: assembly.resource(WallClock.self), logger: assembly.resource(Logger.self),
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })

    /// Reports an error if answers vary: a store contains one catalogue, which is no baseline for several.
    private static func checkVariations(_ variations: [RequestVariation], _ reader: FieldReader) {
        guard let header = variations.first?.header else { return }
        reader.report(
            .error, at: "baseline",
            "answers from here vary by the header \"\(header)\", and one store is no baseline for all; put \"validated\" "
                + "below what decides by it")
    }
}

/// The default rules of a gate, which its other keys replace.
enum GateProfile: String, CaseIterable {
    /// Refuses a catalogue that is invalid, empty, or has lost half of its products.
    case usual
    /// Refuses changes that are implausible in one step, and withholds rare ones.
    case strict

    var rules: CatalogueRules {
        switch self {
        case .usual: CatalogueRules()
        case .strict:
            CatalogueRules(
                maxShrink: 0.2,
                limits: ChangeBounds(removed: 0.2, prices: Self.prices("3", 0.1)),
                warnings: ChangeBounds(growth: 0.5, removed: 0.1, prices: Self.prices("1.5", 0.2)),
                hold: .seconds(3600))
        }
    }

    private static func prices(_ factor: String, _ share: Double) -> ChangeBounds.Prices? {
        PriceFactor(factor).map { ChangeBounds.Prices(factor: $0, share: share) }
    }
}

/// The fields of the rules about a catalogue and its predecessor.
enum RuleFields {
    /// The prefix of the fields for bounds beyond which a catalogue is withheld.
    private static let warning = "warn_"

    static let limits = [
        FieldSpec.optional(
            "max_growth", .ratio, "refused when the products became more by a larger share; at 1 they may double"),
        .optional("max_added", .ratio, "refused when a larger share is new, of the number of products before"),
        .optional("max_removed", .ratio, "refused when a larger share of the products before is gone"),
        .optional("max_changed", .ratio, "refused when a larger share of the products before has changed"),
        .optional(
            "max_price_change", .object(prices), "refused when too many prices of known products move too far"),
    ]

    static let warnings: [FieldSpec] =
        limits.map { .optional(warning + $0.name, $0.type, "as \($0.name), but held instead of refused") }
        + [.optional(warning + "required_share", .ratio, "as required_share, but held instead of refused")]

    private static let prices = [
        FieldSpec.required(
            "factor", .string,
            "a price counts that moved by more than this, up or down: a number above 1, such as 3 or 1.5; from or to 0, "
                + "or another currency, always counts"),
        .required("share", .ratio, "the share of the prices of products in both catalogues that may move so far"),
    ]

    /// Reads the rules, and reports those without effect.
    static func rules(_ reader: FieldReader) -> CatalogueRules {
        let required = reader.strings("required")
        let usual = reader.choice("profile", GateProfile.self).rules
        let (shrink, hold) = (reader.ratio("max_shrink"), reader.duration("hold", in: .seconds(1)...))
        let rules = CatalogueRules(
            minimum: reader.integer("minimum", in: 0...Int.max),
            maxShrink: reader.has("max_shrink") ? shrink : usual.maxShrink,
            limits: bounds(reader, "", usual.limits, complete: required.isEmpty ? nil : reader.ratio("required_share")),
            warnings: bounds(
                reader, warning, usual.warnings, complete: reader.optionalRatio(warning + "required_share")),
            hold: reader.has("hold") ? hold : usual.hold,
            each: reader.optionalChoice("each", ProductGroup.self), required: required,
            minimumPrice: reader.minimumPrice, unique: unique(reader))
        if reader.isSound { checkEffects(of: rules, reader) }
        return rules
    }

    private static func unique(_ reader: FieldReader) -> [FindableMembers.Key] {
        (reader.node("unique")?.elements ?? []).enumerated().compactMap { index, node in
            reader.itemPaths(node, "unique[\(index)]").map { paths in
                let name = paths.paths.map(\.description).joined(separator: " or ")
                return FindableMembers.Key(name: name, paths: paths.paths)
            }
        }
    }

    private static func bounds(
        _ reader: FieldReader, _ prefix: String, _ usual: ChangeBounds, complete: Double?
    ) -> ChangeBounds {
        let prices = reader.optionalObject(prefix + "max_price_change").map(priceBound) ?? usual.prices
        return ChangeBounds(
            growth: reader.optionalRatio(prefix + "max_growth") ?? usual.growth,
            added: reader.optionalRatio(prefix + "max_added") ?? usual.added,
            removed: reader.optionalRatio(prefix + "max_removed") ?? usual.removed,
            changed: reader.optionalRatio(prefix + "max_changed") ?? usual.changed, prices: prices, complete: complete)
    }

    private static func priceBound(_ reader: FieldReader) -> ChangeBounds.Prices? {
        let (text, share) = (reader.string("factor"), reader.ratio("share"))
        guard let factor = PriceFactor(text) else {
            reader.report(
                .error, at: "factor",
                "\"factor\": \"\(text)\" is no number above 1 of at most nine digits; write it like 3 or 1.5")
            return nil
        }
        return ChangeBounds.Prices(factor: factor, share: share)
    }

    private static func checkEffects(of rules: CatalogueRules, _ reader: FieldReader) {
        let (limits, warnings) = (rules.limits, rules.warnings)
        let pairs = [
            ("max_growth", warnings.growth, limits.growth), ("max_added", warnings.added, limits.added),
            ("max_removed", warnings.removed, limits.removed), ("max_changed", warnings.changed, limits.changed),
        ]
        for case (let name, let warning?, let limit?) in pairs
        where warning >= limit && reader.has(Self.warning + name) {
            reader.report(
                .warning, at: Self.warning + name,
                "\"\(Self.warning + name)\" is not below \"\(name)\", so that it never holds a catalogue")
        }
        if rules.required.isEmpty {
            for field in ["required_share", warning + "required_share"] where reader.has(field) {
                reader.report(.warning, at: field, "\"\(field)\" has no effect without \"required\"")
            }
        }
        if reader.has("hold"), warnings == ChangeBounds() {
            reader.report(.warning, at: "hold", "\"hold\" has no effect without a bound that begins with \"warn_\"")
        }
        if rules.each != nil, limits == ChangeBounds(), warnings == ChangeBounds() {
            reader.report(.warning, at: "each", "\"each\" has no effect without a bound")
        }
    }
}
