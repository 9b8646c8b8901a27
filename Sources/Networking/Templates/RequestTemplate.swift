package import Configuration
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
    /// The other origins, such as `https://cdn.example`, that may receive headers, and whose links may be followed.
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

    /// `name=value`, everything but RFC 3986's unreserved characters encoded.
    package var encoded: String {
        "\(PercentEncoding.component(name))=\(PercentEncoding.component(value))"
    }
}

/// A request template of the config's `request:` mapping.
package struct ConfiguredRequestTemplate: RequestTemplate {
    package static let fields: [FieldSpec] = [
        .required("base_url", .url, "Scheme, host and port, and a path if all requests share one."),
        .optional("method", .choice(RequestMethod.self), "GET where it is absent."),
        .optional("path", .string, "Joined to the base URL; / where it is absent."),
        .optional("parameters", .map(.string), "Added to the query, percent-encoded."),
        .optional("headers", .map(.string), "Sent with every request to this origin."),
        .optional(
            "redirect_origins", .list(.url),
            "Other origins that headers and auth may be sent to when the upstream redirects or links there."),
    ]

    package let baseURL: String
    /// Nil without the field.
    package let method: RequestMethod?
    /// Nil without the field.
    package let path: String?
    /// In the order of the file; nil without the field.
    package let parameters: [QueryParameter]?
    /// In the order of the file; nil without the field.
    package let headers: [HTTPHeader]?
    /// In the order of the file; nil without the field.
    package let redirectOrigins: [String]?
    /// Texts that messages must not hold, because an upstream may quote the request: values of headers and parameters
    /// that come from the environment, or whose names mark them as secret.
    package let secrets: [Secret]

    /// Reads the mapping, and reports invalid URLs and headers.
    package init(_ reader: FieldReader) {
        baseURL = reader.sendableURL("base_url")
        method = reader.optionalChoice("method", RequestMethod.self)
        path = reader.optionalString("path")
        parameters =
            reader.has("parameters") ? reader.stringMap("parameters").map { QueryParameter($0.key, $0.value) } : nil
        let written = Set((reader.node("headers")?.entries ?? []).filter(\.value.isWrittenOut).map(\.key))
        headers =
            reader.has("headers")
            ? reader.stringMap("headers").map { Self.header($0.key, $0.value, isWritten: written.contains($0.key)) }
            : nil
        redirectOrigins = reader.has("redirect_origins") ? reader.strings("redirect_origins") : nil
        secrets = ["headers", "parameters"].flatMap { reader.node($0)?.entries ?? [] }
            .filter { Self.isSecret($0.key) || !$0.value.isWrittenOut }
            .flatMap { Self.secrets(in: $0.value.text ?? "") }
        if baseURL.contains(where: { $0 == "?" || $0 == "#" }) {
            reader.report(
                .error, at: "base_url", "\"base_url\" has a query or fragment; a query belongs into \"parameters\"")
        }
        for node in reader.node("redirect_origins")?.elements ?? [] {
            guard let origin = node.text, redirectOrigins?.contains(origin) == true else { continue }
            if let fault = Self.fault(of: origin, from: baseURL) {
                reader.report(.error, at: node.position, "\"redirect_origins\": \(node.foundValue) \(fault)")
            }
        }
        for header in headers ?? [] where !header.isSendable {
            reader.report(.error, at: "headers", "the header \(header.name.debugDescription) cannot be sent")
        }
    }

    private static func fault(of origin: String, from baseURL: String) -> String? {
        guard let address = WebAddress(origin), address.path == "/", address.query.isEmpty else {
            return "is no origin; write it like https://cdn.example"
        }
        let isDowngrade = address.origin.scheme == "http" && WebAddress(baseURL)?.origin.scheme == "https"
        return isDowngrade ? "is never followed from https" : nil
    }

    /// Marks keys in custom headers, and all values from the environment, as secret.
    private static func header(_ name: String, _ value: String, isWritten: Bool) -> HTTPHeader {
        isSecret(name) || !isWritten ? HTTPHeader(name, sensitive: value) : HTTPHeader(name, value)
    }

    private static func isSecret(_ name: String) -> Bool {
        let marks = ["auth", "cookie", "credential", "jwt", "key", "pass", "secret", "session", "signature", "token"]
        return marks.contains { name.lowercased().contains($0) }
    }

    /// A value, its part after the scheme, and both percent-encoded.
    private static func secrets(in value: String) -> [Secret] {
        [value, value.split(separator: " ").last.map(String.init) ?? value]
            .flatMap { [$0, PercentEncoding.component($0)] }.map(Secret.init)
    }
}

extension FieldReader {
    /// Reads the URL of a required field, which must be ASCII, since the encoding of other characters is ambiguous, and
    /// hold no user, who would be shown with the URL.
    ///
    /// - Parameter advice: completes the error about a user.
    package func sendableURL(_ field: String, advice: String = "give them by \"auth\" instead") -> String {
        let url = url(field)
        if !url.utf8.allSatisfy({ $0 < 0x80 }) {
            report(.error, at: field, "\"\(field)\" holds characters that must be percent-encoded")
        }
        if url.dropFirst("https://".count).prefix(while: { !"/?#".contains($0) }).contains("@") {
            report(.error, at: field, "\"\(field)\" holds a user or password; \(advice)")
        }
        return url
    }
}

/// A request template with every default supplied: `GET`, `/`, no parameters, no headers.
///
/// Decorates a `RequestTemplate` and on purpose does not conform to it: a member added to the protocol cannot be read
/// before its default has been decided here.
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

    /// The whole URL, percent-encoded: one slash between base and path, the parameters after the path's own query.
    package var url: String { url(with: []) }

    /// The whole URL with more parameters, which replace the template's of the same names.
    func url(with added: [QueryParameter]) -> String {
        let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        let address = base + PercentEncoding.path(path.hasPrefix("/") ? path : "/" + path)
        let kept = parameters.filter { parameter in !added.contains { $0.name == parameter.name } }
        let query = (kept + added).map(\.encoded).joined(separator: "&")
        return query.isEmpty ? address : address + (address.contains("?") ? "&" : "?") + query
    }

    /// The request, ready to be sent.
    package func request(limits: HTTPClientLimits) -> HTTPClientRequest {
        var request = HTTPClientRequest(method: method.rawValue, url: url, headers: headers, limits: limits)
        request.redirectOrigins = Set((redirectOrigins + [baseURL]).compactMap { WebAddress($0)?.origin })
        return request
    }
}
