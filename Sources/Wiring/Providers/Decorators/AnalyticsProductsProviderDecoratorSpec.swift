internal import Analytics
internal import Concurrency
package import Configuration
internal import JSON
package import Providers

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
        facts: [ProviderTraits(passesOn: true, longestWait: ProviderTraits.slowest)],
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
