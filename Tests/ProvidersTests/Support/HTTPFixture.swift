internal import Concurrency
internal import CoreMetrics
internal import EventLoop
internal import Networking
internal import Products
internal import TestSupport

@testable internal import Providers

/// Limits so wide that a test which means none of them does not meet them, even on a busy machine.
let wide = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20), body: 1 << 20)

/// Runs a test with a client on a loop of its own, and shuts both down in the right order.
func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
    let group = try EventLoopGroup(count: 1)
    let client = HTTPClient(loops: group.loops, userAgent: UserAgent(version: "1.2.3"))
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(client)) } catch { outcome = .failure(error) }
    await client.shutdown()
    await group.shutdown()
    try outcome.get()
}

/// The same against an upstream that follows a script.
func withClient(
    against script: @escaping @Sendable (UpstreamConnection) -> Void,
    _ body: (HTTPClient, ScriptedUpstream) async throws -> Void
) async throws {
    let upstream = ScriptedUpstream(script)
    defer { upstream.stop() }
    try await withClient { try await body($0, upstream) }
}

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
struct BaseURL: RequestTemplate {
    let baseURL: String
    var method: RequestMethod? { nil }
    var path: String? { nil }
    var parameters: [QueryParameter]? { nil }
    var headers: [HTTPHeader]? { nil }
    var redirectOrigins: [String]? { nil }
}
