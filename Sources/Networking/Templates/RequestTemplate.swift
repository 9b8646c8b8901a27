/// What somebody says about the requests to an upstream: the base URL always, the rest only where it matters to them.
///
/// `ResolvedRequestTemplate` adds what was left out; a conformer returns nil rather than a default of its own.
public protocol RequestTemplate: Sendable {
    /// Scheme and authority, and a path if all requests share one: `https://shop.example/api`.
    var baseURL: String { get }
    var method: RequestMethod? { get }
    /// Joined to the base URL's; may carry a query of its own.
    var path: String? { get }
    /// Added to the query, in order.
    var parameters: [QueryParameter]? { get }
    var headers: [HTTPHeader]? { get }
    /// The other origins, such as `https://cdn.example`, that headers may be sent to, and links followed to.
    var redirectOrigins: [String]? { get }
}
