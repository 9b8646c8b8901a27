internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Decoding
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
            let pages = reader.component("pagination", PaginationFamily.self)
            let auth = reader.optionalComponent("auth", AuthFamily.self)
            let (name, label) = (reader.name, reader.metricLabel)
            if pages.outline.settings.given("variable") != nil, template.body == nil {
                reader.report(
                    .error, at: "pagination",
                    "the variable of a cursor stands in \"body\" of \"request\", which is missing")
            }
            return { assembly in
                let authentication = try auth?.instantiate(in: assembly)
                let metrics = assembly.optionalResource((any MetricsFactory).self)
                var session: any HTTPSession = MeteredHTTPSession(
                    assembly.resource(HTTPClient.self), provider: label, factory: metrics)
                if let authentication {
                    session = AuthenticatedHTTPSession(session, authentication: authentication)
                }
                let fetcher = HTTPCollectionFetcher(session: session)
                let collection = CollectionResource(
                    template: ResolvedRequestTemplate(template), itemsPaths: decoder.itemsPaths,
                    idPaths: decoder.idPaths, limits: limits)
                let source: any CollectionDataSource =
                    if let pagination = try pages.instantiate(in: assembly).pagination {
                        PaginatedCollectionDataSource(collection, fetcher: fetcher, pagination: pagination)
                    } else {
                        PlainCollectionDataSource(collection, fetcher: fetcher)
                    }
                return HTTPProductsProvider(
                    name: name, source: source, decoder: assembly.explaining(decoder, of: name),
                    secrets: { template.secrets + (authentication?.secrets ?? []) },
                    wallClock: assembly.resource(WallClock.self), logger: assembly.resource(Logger.self),
                    metrics: metrics, label: label)
            }
        })
}
