internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Decoding
internal import JSON
internal import Logging
internal import Networking
internal import Text
package import Upstreams

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
            .optional("decode", .object(CatalogueMapping.fields), "turns an upstream's own documents into products"),
            .optional(
                "expand", .object(ItemExpansion.fields),
                "members that each item has at a URL of its own, such as price and stock"),
            .optional(
                "categories", .object(ConfiguredCategories.fields),
                "the categories of the upstream, which take the place of their ids in items"),
            .defaulted("timeout", .duration, "2s", "each request; a catalogue on many pages takes many"),
            .defaulted("connect_timeout", .duration, "1s", "each connection"),
            .defaulted(
                "max_body", .size, "64MiB", "a larger catalogue, all pages together, is refused while it comes in"),
        ] + ConfiguredConnection.fields,
        example: "{ type: http, request: { base_url: \"http://shop.example\", path: /products }, timeout: 2s }",
        facts: [
            ProviderTraits { settings, _ in
                let expansion = settings.given("expand") == nil ? nil : settings.duration("expand.timeout")
                let timeout = settings.duration("timeout") ?? .zero
                return timeout * (settings.given("categories") == nil ? 1 : 2) + (expansion ?? .zero)
            }
        ],
        plan: { reader in
            let template = ConfiguredRequestTemplate(reader.object("request"))
            let connection = ConfiguredConnection(
                reader, url: template.baseURL, from: "base_url", unixSocket: template.unixSocket)
            let limits = HTTPClientLimits(
                connectTimeout: reader.duration("connect_timeout"), timeout: reader.duration("timeout"),
                body: reader.size("max_body"))
            let decoder = CatalogueFormats.decoder(reader, "decode")
            let expansion = ItemExpansion.read(reader, "expand")
            let categories = ConfiguredCategories(reader, "categories", decoding: decoder)
            let pages = reader.component("pagination", PaginationFamily.self)
            let auth = reader.optionalComponent("auth", AuthFamily.self)
            let (name, label) = (reader.name, reader.metricLabel)
            if pages.outline.settings.given("variable") != nil, template.body == nil {
                reader.report(
                    .error, at: "pagination",
                    "the variable of a page stands in \"body\" of \"request\", which is missing")
            }
            if decoder.format != .json, pages.outline.type != "single" {
                reader.report(
                    .error, at: "pagination",
                    "pages are read of JSON alone; a catalogue in \(decoder.format.rawValue) comes as one document")
            }
            if decoder.format != .json, expansion != nil {
                reader.report(.error, at: "expand", "items are expanded of JSON alone")
            }
            checkChanges(pages.outline.settings, idPaths: decoder.idPaths, reader)
            return { assembly in
                let authentication = try auth?.instantiate(in: assembly)
                let metrics = assembly.optionalResource((any MetricsFactory).self)
                var session: any HTTPSession = MeteredHTTPSession(
                    connection.client(in: assembly), provider: label, factory: metrics)
                if let authentication {
                    session = AuthenticatedHTTPSession(session, authentication: authentication)
                }
                let fetcher = HTTPCollectionFetcher(session: session)
                let collection = CollectionResource(
                    template: ResolvedRequestTemplate(template), itemsPaths: decoder.itemsPaths,
                    idPaths: decoder.idPaths, items: { decoder.items(in: $0) }, limits: limits)
                let secrets: @Sendable () -> [Secret] = {
                    template.secrets + connection.secrets + (expansion?.secrets ?? []) + (authentication?.secrets ?? [])
                }
                let logger = assembly.resource(Logger.self)
                let pages = try pages.instantiate(in: assembly)
                var source: any CollectionDataSource =
                    if let (pagination, fullEvery) = pages.changes {
                        ChangesCollectionDataSource(
                            collection, fetcher: fetcher, pagination: pagination, fullEvery: fullEvery)
                    } else if let pagination = pages.pagination {
                        PaginatedCollectionDataSource(collection, fetcher: fetcher, pagination: pagination)
                    } else {
                        PlainCollectionDataSource(collection, fetcher: fetcher, format: decoder.format)
                    }
                if let expansion {
                    source = ExpandedCollectionDataSource(
                        source, expansion.value, fetcher: fetcher, label: label, logger: logger, metrics: metrics,
                        progress: assembly.optionalResource(ExpansionProgress.self), secrets: secrets)
                }
                if let categories {
                    source = CategorizedCollectionDataSource(
                        source,
                        categories: try categories.source(
                            beside: template, fetcher: fetcher, limits: limits, in: assembly),
                        categories.ids, label: label, wallClock: assembly.resource(WallClock.self), logger: logger,
                        secrets: secrets)
                }
                return HTTPProductsProvider(
                    name: name, source: source, decoder: assembly.explaining(decoder, of: name), secrets: secrets,
                    wallClock: assembly.resource(WallClock.self), logger: logger, metrics: metrics, label: label)
            }
        })
    /// Reports an error if changes are read by the id, which stays the same when an item changes.
    private static func checkChanges(_ pages: ComponentSettings, idPaths: [JSONPath], _ reader: FieldReader) {
        guard pages.given("full_every") != nil, let field = pages.text("field").flatMap({ JSONPath($0) }),
            idPaths.contains(field)
        else { return }
        reader.report(
            .error, at: "pagination",
            "by the id no change of an item would be noticed between readings of everything; name a \"field\" that "
                + "changes with the item, such as updated_at, or remove \"full_every\"")
    }
}
