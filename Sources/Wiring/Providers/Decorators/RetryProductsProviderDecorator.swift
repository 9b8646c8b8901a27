package import Configuration
package import Providers

extension RetryProductsProviderDecorator {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "retry",
        summary: "tries again with full jitter, within a budget",
        fields: [
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
            .defaulted("attempts", .integer, "2", "tries in all, the first one included"),
            .defaulted("base", .duration, "100ms", "the longest pause before the first retry; doubles up to cap"),
            .defaulted(
                "cap", .duration, "2s", "the longest pause; an upstream whose Retry-After is longer is not tried again"
            ),
            .defaulted(
                "budget", .ratio, "0.2",
                "retries as a share of the calls of the last 10s; 3 a second are allowed besides"),
        ],
        example: """
            { type: retry, attempts: 3, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(passesOn: true) { ($1.max() ?? .zero) * tries($0) }],
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let policy = policy(reader)
            let name = reader.name
            return { assembly in
                RetryProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly), policy: policy)
            }
        })

    private static func policy(_ reader: FieldReader) -> RetryPolicy {
        let policy = RetryPolicy(
            attempts: reader.integer("attempts", in: 1...10), base: reader.duration("base"),
            cap: reader.duration("cap"), budget: reader.ratio("budget"))
        if reader.isSound, policy.base > policy.cap {
            reader.report(.warning, at: "base", "base is longer than cap, which every pause is cut to")
        }
        return policy
    }

    /// The number of tries that a `retry` with these settings makes.
    package static func tries(_ settings: ComponentSettings) -> Int {
        min(max(1, settings.integer("attempts") ?? 1), 10)
    }
}
