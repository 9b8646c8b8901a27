internal import Analytics
internal import Concurrency
package import Configuration
internal import JSON
internal import Products
package import Providers

extension CachingProductsProviderDecorator {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "caching",
        summary: "saves every success to a store; a failing save never fails the answer",
        fields: [
            .required("store", .component(StoreFamily.self), "where successes are saved"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: caching, store: { type: json_file, directory: /var/lib/larder }, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            let upstream = reader.component("upstream", ProviderFamily.self)
            checkVariations(upstream.outline.variations, reader)
            let (name, isShared) = (reader.name, store.outline.isSharedStore)
            reader.state(
                ProviderTraits(
                    outlivesRestarts: isShared, passesOn: true, longestWait: ProviderTraits.slowest))
            let fingerprint = upstream.outline.contentFingerprint
            return { assembly in
                try store.instantiate(in: assembly).caching(
                    CachingNode(
                        name: name, upstream: try upstream.instantiate(in: assembly), fingerprint: fingerprint,
                        assembly: assembly))
            }
        })

    /// Reports an error if answers vary: a store holds one catalogue, and returns it for any request.
    private static func checkVariations(_ variations: [RequestVariation], _ reader: FieldReader) {
        guard let header = variations.first?.header else { return }
        reader.report(
            .error, at: "upstream",
            "answers from here vary by the header \"\(header)\", and one store cannot keep them apart; "
                + "put \"caching\" below what decides by it")
    }
}

extension AnalyticsProductsProviderDecorator {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "analytics",
        summary: "logs an event after every success: answers, unless the caller opted out; below memory, refreshes",
        fields: [
            .required("sink", .component(SinkFamily.self), "where the event goes"),
            .required("event", .string, "the event's name"),
            .optional("parameters", .map(.string), "what every event of this node carries"),
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
        ],
        example: """
            { type: analytics, sink: { type: log }, event: products_network_hit, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(passesOn: true, passesEvery: { _ in true }, longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let sink = reader.component("sink", SinkFamily.self)
            let event = reader.string("event")
            let parameters = reader.stringMap("parameters").reduce(into: JSONObject()) { object, parameter in
                object[parameter.key] = .string(parameter.value)
            }
            let upstream = reader.component("upstream", ProviderFamily.self)
            return { assembly in
                AnalyticsProductsProviderDecorator(
                    upstream: try upstream.instantiate(in: assembly), sink: try sink.instantiate(in: assembly),
                    event: event, parameters: parameters, wallClock: assembly.resource(WallClock.self))
            }
        })
}
