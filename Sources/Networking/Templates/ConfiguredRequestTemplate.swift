public import Configuration

/// A request template as the config's `request:` mapping says it.
public struct ConfiguredRequestTemplate: RequestTemplate {
    /// What the mapping may hold.
    public static let fields: [FieldSpec] = [
        .required("base_url", .url, "Scheme, host and port, and a path if all requests share one."),
        .optional("method", .choice(RequestMethod.self), "GET where it is absent."),
        .optional("path", .string, "Joined to the base URL; / where it is absent."),
        .optional("parameters", .map(.string), "Added to the query, percent-encoded."),
        .optional("headers", .map(.string), "Sent with every request to this origin."),
        .optional(
            "redirect_origins", .list(.url),
            "Other origins that headers and auth may be sent to when the upstream redirects or links there."),
    ]

    /// As written.
    public let baseURL: String
    /// Nil when the config does not say.
    public let method: RequestMethod?
    /// Nil when the config does not say.
    public let path: String?
    /// In the order of the file; nil when the config does not say.
    public let parameters: [QueryParameter]?
    /// In the order of the file; nil when the config does not say.
    public let headers: [HTTPHeader]?
    /// In the order of the file; nil when the config does not say.
    public let redirectOrigins: [String]?
    /// What no text may hold, because the upstream may send back what it was told: values of headers and parameters
    /// that come from the environment, or whose names say that they are secret.
    public let secrets: [Secret]

    /// Reads the mapping, and reports what cannot be sent.
    public init(_ reader: FieldReader) {
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
            .filter { Self.isTelling($0.key) || !$0.value.isWrittenOut }
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

    /// Some upstreams want their key in a header of their own; it is as secret there as it is in `auth`. So may be
    /// whatever comes from the environment.
    private static func header(_ name: String, _ value: String, isWritten: Bool) -> HTTPHeader {
        isTelling(name) || !isWritten ? HTTPHeader(name, sensitive: value) : HTTPHeader(name, value)
    }

    private static func isTelling(_ name: String) -> Bool {
        let marks = ["auth", "cookie", "credential", "jwt", "key", "pass", "secret", "session", "signature", "token"]
        return marks.contains { name.lowercased().contains($0) }
    }

    /// A value, what follows the scheme in it, and both as they stand in a URL.
    private static func secrets(in value: String) -> [Secret] {
        [value, value.split(separator: " ").last.map(String.init) ?? value]
            .flatMap { [$0, PercentEncoding.component($0)] }.map(Secret.init)
    }
}
