package import Configuration
package import Providers

extension ConcurrencyLimitProductsProviderDecorator {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "concurrency_limit",
        summary: "at most max questions at once; the rest wait in a queue, or fail at once",
        fields: [
            .required("max", .integer, "how many may be under way at once"),
            .defaulted("queue", .integer, "0", "how many more may wait for a place"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: concurrency_limit, max: 10, queue: 100, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(passesOn: true)],
        plan: { reader in
            let places = reader.integer("max", in: 1...)
            let queue = reader.integer("queue", in: 0...)
            let upstream = reader.component("upstream", ProviderFamily.self)
            return { assembly in
                ConcurrencyLimitProductsProviderDecorator(
                    upstream: try upstream.instantiate(in: assembly), max: places, queue: queue)
            }
        })
}
