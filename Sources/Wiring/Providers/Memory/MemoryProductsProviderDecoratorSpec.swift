internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Logging
internal import Products
package import Providers

extension MemoryProductsProviderDecorator {
    /// The trigger of a refresh.
    enum RefreshMode: String, CaseIterable {
        /// A request that arrives after freshness has ended.
        case onDemand = "on_demand"
        /// The end of freshness, without a request.
        case background
    }

    package static let spec = ComponentSpec<ProviderFamily>(
        type: "memory",
        summary: "keeps the last answer; one refresh at a time; serves stale answers while the upstream fails",
        fields: [
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
            .defaulted("ttl", .duration, "30s", "the age up to which nothing is asked"),
            .defaulted("stale_while_revalidate", .duration, "60s", "served at once for this long after ttl"),
            .defaulted("stale_if_error", .duration, "7d", "served for this long after ttl when the upstream fails"),
            .defaulted("max_wait", .duration, "3s", "how long a request waits for a refresh before a stale answer"),
            .defaulted("hold_off", .duration, "1s", "the pause after a failure; doubles up to 30s"),
            .defaulted(
                "refresh", .choice(RefreshMode.self), "on_demand",
                "whether a request or the end of freshness starts a refresh"),
        ],
        example: """
            { type: memory, ttl: 30s, stale_if_error: 1h, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(passesOn: true, pins: .obeys, longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            var policy = policy(reader)
            let mode = reader.choice("refresh", RefreshMode.self)
            policy.refreshesInBackground = mode == .background
            if mode == .background, reader.isSound, min(policy.ttl, policy.holdOff) == .zero {
                reader.report(.error, at: "refresh", "a background refresh needs a ttl and a hold_off above 0")
            }
            let (name, label) = (reader.name, reader.metricLabel)
            let division = VariantKey(upstream.outline.variations)
            let (obeyed, followed) = (upstream.outline.pinnables, upstream.outline.offers)
            return { [policy] assembly in
                let clock = ContinuousClock()
                let variants = assembly.state { previous in
                    MemoryVariants(
                        division: division, policy: policy, node: name, uptime: Uptime(of: clock),
                        signal: assembly.catalogueSignal, following: previous,
                        isElsewhere: !assembly.isBuiltOnTheSame)
                }
                let upstream = try upstream.instantiate(in: assembly)
                let made =
                    assembly.components(of: StoreFamily.self).map { ($0.outline.id, $0.instance as Any) }
                    + assembly.components(of: ProviderFamily.self).map {
                        ($0.outline.id, $0.instance.unobserved as Any)
                    }
                func stores(_ offers: [ComponentOutline.Offer]) -> [any CatalogueOffering] {
                    offers.compactMap { offer in made.first { $0.0 == offer.maker.id }?.1 as? any CatalogueOffering }
                }
                let memory = MemoryProductsProviderDecorator(
                    upstream: upstream, variants: variants,
                    stores: stores(obeyed), followed: stores(followed),
                    wallClock: assembly.resource(WallClock.self), clock: clock,
                    logger: assembly.resource(Logger.self),
                    meter: RefreshMeter(
                        provider: label, factory: assembly.optionalResource((any MetricsFactory).self)),
                    traces: assembly.optionalResource(GraphObservation.self)?.refreshes ?? RefreshTraces())
                if mode == .background {
                    assembly.background("refresh of \(name)") { try await memory.refreshInBackground() }
                }
                return memory
            }
        })

    private static func policy(_ reader: FieldReader) -> FreshnessPolicy {
        let policy = FreshnessPolicy(
            ttl: reader.duration("ttl"), staleWhileRevalidate: reader.duration("stale_while_revalidate"),
            staleIfError: reader.duration("stale_if_error"), holdOff: reader.duration("hold_off"),
            maxWait: reader.duration("max_wait"))
        if policy.staleWhileRevalidate > policy.staleIfError {
            reader.report(
                .warning, at: "stale_while_revalidate", "stale_while_revalidate is longer than stale_if_error")
        }
        return policy
    }
}
