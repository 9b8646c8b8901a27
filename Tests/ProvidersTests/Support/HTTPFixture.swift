internal import Concurrency
internal import CoreMetrics
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
    HTTPProductsProvider(
        client: client, template: ResolvedRequestTemplate(BaseURL(baseURL: url)), limits: limits, decoder: decoder,
        wallClock: wallClock, metrics: metrics)
}

/// A template that says no more than it must.
private struct BaseURL: RequestTemplate {
    let baseURL: String
    var method: RequestMethod? { nil }
    var path: String? { nil }
    var parameters: [QueryParameter]? { nil }
    var headers: [HTTPHeader]? { nil }
    var redirectOrigins: [String]? { nil }
}
