package import Concurrency
package import CoreMetrics
package import Decoding
package import JSON
package import Networking
internal import Products
internal import TestSupport
package import Upstreams

/// A provider that asks this URL's root.
package func makeHTTPProvider(
    _ client: HTTPClient, url: String, limits: HTTPClientLimits = wide,
    decoder: any CatalogueDecoder = NativeCatalogueDecoder(), wallClock: WallClock = .system,
    metrics: (any MetricsFactory)? = nil
) -> HTTPProductsProvider {
    let source = makeSource(
        MeteredHTTPSession(client, provider: "http", factory: metrics), BaseURL(baseURL: url), limits: limits,
        itemsPaths: decoder.itemsPaths, idPaths: decoder.idPaths, format: decoder.format)
    return HTTPProductsProvider(source: source, decoder: decoder, wallClock: wallClock, metrics: metrics)
}

/// A collection that one response holds.
package func makeSource(
    _ session: any HTTPSession, _ template: some RequestTemplate, limits: HTTPClientLimits = wide,
    itemsPaths: [JSONPath] = [.root], idPaths: [JSONPath] = [], format: DocumentFormat = .json
) -> PlainCollectionDataSource {
    PlainCollectionDataSource(
        CollectionResource(
            template: ResolvedRequestTemplate(template), itemsPaths: itemsPaths, idPaths: idPaths, limits: limits),
        fetcher: HTTPCollectionFetcher(session: session), format: format)
}

/// A template that says no more than it must.
package struct BaseURL: RequestTemplate {
    package let baseURL: String

    package init(baseURL: String) {
        self.baseURL = baseURL
    }

    package var method: RequestMethod? { nil }
    package var path: String? { nil }
    package var parameters: [QueryParameter]? { nil }
    package var headers: [HTTPHeader]? { nil }
    package var redirectOrigins: [String]? { nil }
    package var body: JSONObject? { nil }
}
