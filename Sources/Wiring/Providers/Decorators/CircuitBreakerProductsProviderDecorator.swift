package import Configuration
internal import Logging
package import Providers

extension CircuitBreakerProductsProviderDecorator {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "circuit_breaker",
        summary: "stops asking a failing upstream, and tries it with one request when the pause is over",
        fields: [
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
            .defaulted("failures", .integer, "5", "opens after so many failures in a row"),
            .defaulted(
                "ratio", .ratio, "0.5", "opens too when this share of the calls of the last 30s, 10 at least, failed"),
            .defaulted("open_for", .duration, "10s", "the pause; doubles up to 60s with every try that fails"),
            .defaulted("probe_timeout", .duration, "5s", "how long the request may take that tries"),
        ],
        example: """
            { type: circuit_breaker, failures: 5, open_for: 10s, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(passesOn: true)],
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let policy = policy(reader)
            let name = reader.name
            return { assembly in
                CircuitBreakerProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly), policy: policy,
                    logger: assembly.resource(Logger.self))
            }
        })

    private static func policy(_ reader: FieldReader) -> CircuitBreakerPolicy {
        let policy = CircuitBreakerPolicy(
            failures: reader.integer("failures", in: 1...), ratio: reader.ratio("ratio"),
            openFor: reader.duration("open_for", in: .milliseconds(1)...),
            probeTimeout: reader.duration("probe_timeout", in: .milliseconds(1)...))
        if policy.ratio == 0 {
            reader.report(.error, at: "ratio", "\"ratio\": at 0 the breaker would open without a failure")
        }
        return policy
    }
}
