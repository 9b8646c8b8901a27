package import JSON
internal import Text

/// Describes the requests to an upstream; only the base URL is required.
///
/// `ResolvedRequestTemplate` supplies the defaults; a conformer returns nil rather than a default of its own.
package protocol RequestTemplate: Sendable {
    /// Scheme, authority, and an optional common path: `https://shop.example/api`.
    var baseURL: String { get }
    var method: RequestMethod? { get }
    /// Joined to the base URL's path; may carry a query.
    var path: String? { get }
    /// Added to the query, in order.
    var parameters: [QueryParameter]? { get }
    var headers: [HTTPHeader]? { get }
    /// Sent as JSON by a `POST`, such as a query of GraphQL.
    var body: JSONObject? { get }
    /// The other origins, such as `https://cdn.example`, to which redirects and links may lead, with all headers.
    var redirectOrigins: [String]? { get }
}

package enum RequestMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
}

/// One parameter of a URL's query, not yet percent-encoded.
public struct QueryParameter: Sendable, Hashable {
    let name: String
    let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// `name=value`, with everything but RFC 3986's unreserved characters encoded.
    package var encoded: String {
        "\(PercentEncoding.component(name))=\(PercentEncoding.component(value))"
    }
}

/// A request template with every default supplied: `GET`, `/`, no parameters, no headers.
///
/// Decorates a `RequestTemplate` and on purpose does not conform to it: a member added to the protocol cannot be read
/// before it has a default here.
public struct ResolvedRequestTemplate: Sendable {
    private let upstream: any RequestTemplate

    package init(_ upstream: some RequestTemplate) {
        self.upstream = upstream
    }

    var baseURL: String { upstream.baseURL }
    var method: RequestMethod { upstream.method ?? .get }
    var path: String { upstream.path ?? "/" }
    var parameters: [QueryParameter] { upstream.parameters ?? [] }
    var headers: [HTTPHeader] { upstream.headers ?? [] }
    var redirectOrigins: [String] { upstream.redirectOrigins ?? [] }
    /// nil for requests without a body.
    var body: JSONObject? { upstream.body }

    /// The whole URL, percent-encoded: one slash between base and path if there is a path, the parameters after the path's own query.
    package var url: String { url(with: []) }

    /// The whole URL with more parameters, which replace the template's of the same names.
    func url(with added: [QueryParameter]) -> String {
        let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        let address = path.isEmpty ? baseURL : base + PercentEncoding.path(path.hasPrefix("/") ? path : "/" + path)
        let kept = parameters.filter { parameter in !added.contains { $0.name == parameter.name } }
        let query = (kept + added).map(\.encoded).joined(separator: "&")
        return query.isEmpty ? address : address + (address.contains("?") ? "&" : "?") + query
    }

    /// The request, ready to be sent.
    package func request(limits: HTTPClientLimits) -> HTTPClientRequest {
        var request = HTTPClientRequest(method: method.rawValue, url: url, headers: headers, limits: limits)
        if let body {
            let isTyped = headers.contains { $0.name.lowercased() == "content-type" }
            if !isTyped { request.headers.append(HTTPHeader("Content-Type", "application/json")) }
            request.body = JSONValue.object(body).encoded()
        }
        request.redirectOrigins = Set((redirectOrigins + [baseURL]).compactMap { WebAddress($0)?.origin })
        return request
    }
}
