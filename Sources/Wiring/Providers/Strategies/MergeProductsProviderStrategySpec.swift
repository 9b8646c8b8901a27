internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Logging
package import Providers

extension MergeProductsProviderStrategy {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "merge",
        summary: "several catalogues as one, in order",
        fields: [
            .required("providers", .components(ProviderFamily.self), "the providers that are asked, all at once"),
            .defaulted(
                "duplicates", .choice(MergeDuplicates.self), "first",
                "whose product counts when several have one id; reject refuses the catalogue"),
            .defaulted(
                "key", .string, "id",
                "the member, a string or number, by which products are the same; products without it are all kept, and two of "
                    + "one provider with one value are refused"),
            .defaulted(
                "on_failure", .choice(MergeFailurePolicy.self), "fail",
                "whether a provider that fails is left out, products and all, or nothing is answered; a catalogue from "
                    + "which one is left out is not saved by caching"),
        ],
        example: """
            { type: merge, providers: [{ type: http, request: { base_url: "http://books.example" } }, \
            { type: http, request: { base_url: "http://toys.example" } }] }
            """,
        facts: [ProviderTraits(pins: .stops, longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let plans = reader.components("providers", ProviderFamily.self)
            if plans.isEmpty, reader.has("providers") {
                reader.report(.error, at: "providers", "\"providers\": expected one provider at least")
            }
            let duplicates = reader.choice("duplicates", MergeDuplicates.self)
            let key = reader.keyMember("key", reader.string("key"))
            let onFailure = reader.choice("on_failure", MergeFailurePolicy.self)
            let name = reader.name
            return { assembly in
                MergeProductsProviderStrategy(
                    name: name,
                    parts: try plans.indices.map { index in
                        let plan = plans[index]
                        return Part(
                            name: plan.outline.label ?? "\(plan.name)[\(index)]",
                            provider: try plan.instantiate(in: assembly))
                    }, duplicates: duplicates, key: key, onFailure: onFailure,
                    variations: plans.flatMap(\.outline.variations), wallClock: assembly.resource(WallClock.self),
                    signal: assembly.catalogueSignal, logger: assembly.resource(Logger.self),
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })
}
