internal import Decoding
internal import Concurrency
internal import CoreMetrics
internal import JSON
internal import Networking
internal import Products
internal import TestSupport

@testable internal import Providers

/// A provider that asks this URL's root.
func makeHTTPProvider(
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
func makeSource(
    _ session: any HTTPSession, _ template: some RequestTemplate, limits: HTTPClientLimits = wide,
    itemsPaths: [JSONPath] = [.root], idPaths: [JSONPath] = [], format: DocumentFormat = .json
) -> PlainCollectionDataSource {
    PlainCollectionDataSource(
        CollectionResource(
            template: ResolvedRequestTemplate(template), itemsPaths: itemsPaths, idPaths: idPaths, limits: limits),
        fetcher: HTTPCollectionFetcher(session: session), format: format)
}

/// A template that says no more than it must.
struct BaseURL: RequestTemplate {
    let baseURL: String
    var method: RequestMethod? { nil }
    var path: String? { nil }
    var parameters: [QueryParameter]? { nil }
    var headers: [HTTPHeader]? { nil }
    var redirectOrigins: [String]? { nil }
    var body: JSONObject? { nil }
}
