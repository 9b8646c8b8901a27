package import Configuration
package import Providers

extension FaultProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "fault",
        summary: "fails or delays on purpose, for drills",
        fields: [
            .defaulted("error", .choice(FaultKind.self), "none", "how every question fails"),
            .defaulted("delay", .duration, "0s", "how long every answer, or failure, takes longer"),
            .optional("upstream", .component(ProviderFamily.self), "asked when there is no error; then required"),
        ],
        example: """
            { type: fault, error: status-503, delay: 200ms, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(passesOn: true) { ($1.max() ?? .zero) + ($0.duration("delay") ?? .zero) }],
        plan: { reader in
            let kind = reader.choice("error", FaultKind.self)
            let delay = reader.duration("delay")
            let upstream = reader.optionalComponent("upstream", ProviderFamily.self)
            if reader.isSound, kind == .none, upstream == nil {
                reader.report(.error, at: nil, "a fault without an error needs an upstream")
            }
            let name = reader.name
            return { assembly in
                FaultProductsProvider(
                    name: name, failure: kind.failure, delay: delay, upstream: try upstream?.instantiate(in: assembly))
            }
        })
}
