internal import Concurrency
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
        facts: [ProviderTraits(passesOn: true, longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let policy = policy(reader)
            let name = reader.name
            return { assembly in
                CircuitBreakerProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly), policy: policy,
                    wallClock: assembly.optionalResource(WallClock.self) ?? .system,
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
        facts: [ProviderTraits(passesOn: true, longestWait: ProviderTraits.slowest)],
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
        facts: [ProviderTraits(passesOn: true, passesEvery: { _ in true }) { ($1.max() ?? .zero) * tries($0) }],
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
