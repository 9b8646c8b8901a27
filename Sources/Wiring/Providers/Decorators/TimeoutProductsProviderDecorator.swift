package import Configuration
package import Providers

extension TimeoutProductsProviderDecorator {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "timeout",
        summary: "a deadline for all below; what is under way then is called off",
        fields: [
            .required("after", .duration, "how long an answer may take"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: timeout, after: 3s, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [
            ProviderTraits(passesOn: true) { settings, below in
                min(below.max() ?? .zero, settings.duration("after") ?? below.max() ?? .zero)
            }
        ],
        plan: { reader in
            let limit = reader.duration("after", in: .milliseconds(1)...)
            let upstream = reader.component("upstream", ProviderFamily.self)
            return { assembly in
                TimeoutProductsProviderDecorator(upstream: try upstream.instantiate(in: assembly), after: limit)
            }
        })
}
