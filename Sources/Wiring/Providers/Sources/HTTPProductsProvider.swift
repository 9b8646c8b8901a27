internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Logging
internal import Networking
package import Providers

extension HTTPProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "http",
        summary: "asks an upstream over HTTP",
        fields: [
            .required("request", .object(ConfiguredRequestTemplate.fields), "what is asked"),
            .defaulted(
                "pagination", .component(PaginationFamily.self), "{ type: single }",
                "how the catalogue is divided into pages"),
            .optional("auth", .component(AuthFamily.self), "how requests prove who asks"),
            .optional("decode", .object(CatalogueMapping.fields), "turns somebody else's JSON into products"),
            .defaulted("timeout", .duration, "2s", "each request; a catalogue on many pages takes many"),
            .defaulted("connect_timeout", .duration, "1s", "each connection"),
            .defaulted(
                "max_body", .size, "64MiB", "a larger catalogue, all pages together, is refused while it comes in"),
        ],
        example: "{ type: http, request: { base_url: \"http://shop.example\", path: /products }, timeout: 2s }",
        facts: [ProviderTraits { settings, _ in settings.duration("timeout") ?? .zero }],
        plan: { reader in
            let template = ConfiguredRequestTemplate(reader.object("request"))
            let limits = HTTPClientLimits(
                connectTimeout: reader.duration("connect_timeout"), timeout: reader.duration("timeout"),
                body: reader.size("max_body"))
            let decoder = CatalogueFormats.decoder(reader, "decode")
            let pagination = reader.component("pagination", PaginationFamily.self)
            let auth = reader.optionalComponent("auth", AuthFamily.self)
            let (name, label) = (reader.name, ProviderFamily.metricLabel(reader.path))
            return { assembly in
                let authentication = try auth?.instantiate(in: assembly)
                return HTTPProductsProvider(
                    name: name, client: assembly.resource(HTTPClient.self), template: ResolvedRequestTemplate(template),
                    secrets: { (template.secrets + (authentication?.secrets ?? [])).map { $0.reveal() } },
                    pagination: try pagination.instantiate(in: assembly), authentication: authentication,
                    limits: limits, decoder: decoder,
                    wallClock: assembly.resource(WallClock.self), logger: assembly.resource(Logger.self),
                    metrics: assembly.optionalResource((any MetricsFactory).self), label: label)
            }
        })
}
