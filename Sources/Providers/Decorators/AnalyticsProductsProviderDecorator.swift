internal import Analytics
internal import Concurrency
package import Configuration
internal import JSON
package import Products

/// Logs an event after every success of its upstream, unless the caller opted out.
///
/// Below `memory` the events count refreshes and not callers: a refresh belongs to no request, so it counts even if a
/// caller who opted out, or the service itself, caused it. A failure passes through without an event.
package struct AnalyticsProductsProviderDecorator: ProductsProvider {
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

    let upstream: any ProductsProvider
    let sink: any AnalyticsSink
    let event: String
    var parameters = JSONObject()
    var wallClock = WallClock.system

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        log(request)
        return answer.passingLease(use: { request, _ in log(request) })
    }

    private func log(_ request: ProductsRequest) {
        guard !request.analyticsOptOut else { return }
        sink.log(AnalyticsEvent(name: event, timestamp: wallClock.now(), parameters: parameters))
    }
}
