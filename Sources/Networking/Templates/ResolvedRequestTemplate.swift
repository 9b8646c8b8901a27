/// A request template with every default supplied: `GET`, `/`, no parameters, no headers.
///
/// A decorator over `RequestTemplate` that on purpose does not conform to it. If it did, a member added to the protocol
/// could be forwarded here unresolved; as it is, nobody can read the new member before its default has been decided.
public struct ResolvedRequestTemplate: Sendable {
    private let upstream: any RequestTemplate

    /// Decorates a template.
    public init(_ upstream: some RequestTemplate) {
        self.upstream = upstream
    }

    /// As the template says it.
    public var baseURL: String { upstream.baseURL }
    /// `GET` unless the template says otherwise.
    public var method: RequestMethod { upstream.method ?? .get }
    /// `/` unless the template says otherwise.
    public var path: String { upstream.path ?? "/" }
    /// None unless the template has some.
    public var parameters: [QueryParameter] { upstream.parameters ?? [] }
    /// None unless the template has some.
    public var headers: [HTTPHeader] { upstream.headers ?? [] }

    /// None unless the template has some.
    public var redirectOrigins: [String] { upstream.redirectOrigins ?? [] }

    /// The whole URL, percent-encoded: one slash between base and path, the parameters after a query that the path may
    /// have already.
    public var url: String { url(with: []) }

    /// The whole URL with more parameters, which take the place of the template's of the same names.
    func url(with added: [QueryParameter]) -> String {
        let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        let address = base + PercentEncoding.path(path.hasPrefix("/") ? path : "/" + path)
        let kept = parameters.filter { parameter in !added.contains { $0.name == parameter.name } }
        let query = (kept + added).map(\.encoded).joined(separator: "&")
        return query.isEmpty ? address : address + (address.contains("?") ? "&" : "?") + query
    }

    /// The request, ready to be sent.
    public func request(limits: HTTPClientLimits) -> HTTPClientRequest {
        var request = HTTPClientRequest(method: method.rawValue, url: url, headers: headers, limits: limits)
        request.redirectOrigins = Set((redirectOrigins + [baseURL]).compactMap { WebAddress($0)?.origin })
        return request
    }
}
