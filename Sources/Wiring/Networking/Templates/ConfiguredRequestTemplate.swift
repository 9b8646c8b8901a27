package import Configuration
package import JSON
package import Networking
package import Text

/// A request template of the config's `request:` mapping.
package struct ConfiguredRequestTemplate: RequestTemplate {
    package static let fields: [FieldSpec] = [
        .required(
            "base_url", .urlOf(["http", "https"], like: "http://example.com/products", or: "unix:"),
            "Scheme, host and port, and a path if all requests share one; or unix:/run/shop.sock."),
        .optional("method", .choice(RequestMethod.self), "GET where it is absent."),
        .optional("path", .string, "Joined to the base URL, to which an empty one adds nothing; / where it is absent."),
        .optional("parameters", .map(.string), "Added to the query, percent-encoded."),
        .optional("headers", .map(.string), "Sent with every request to this origin."),
        .optional(
            "body", .any, "An object that a POST sends as JSON, such as { query, variables } of GraphQL."),
        .optional(
            "redirect_origins", .list(.url),
            "Other origins to which redirects and links of the upstream are followed, with headers and auth."),
    ]

    package let baseURL: String
    /// The path of the socket in `base_url`; nil for a host.
    let unixSocket: String?
    /// Nil without the field.
    package let method: RequestMethod?
    /// Nil without the field.
    package let path: String?
    /// In the order of the file; nil without the field.
    package let parameters: [QueryParameter]?
    /// In the order of the file; nil without the field.
    package let headers: [HTTPHeader]?
    /// nil without the field.
    package let body: JSONObject?
    /// In the order of the file; nil without the field.
    package let redirectOrigins: [String]?
    /// Texts to keep out of messages, because an upstream may quote the request: values of headers and parameters that
    /// come from the environment or whose names mark them as secret, and values from the environment after the host of
    /// the URL.
    package let secrets: [Secret]

    /// Reads the mapping, and reports invalid URLs and headers.
    package init(_ reader: FieldReader) {
        (baseURL, unixSocket) = reader.upstreamURL("base_url")
        method = reader.optionalChoice("method", RequestMethod.self)
        path = reader.optionalString("path")
        parameters =
            reader.has("parameters") ? reader.stringMap("parameters").map { QueryParameter($0.key, $0.value) } : nil
        headers = reader.has("headers") ? reader.headers("headers") : nil
        body = reader.node("body").flatMap { JSONValue(tree: $0)?.object }
        redirectOrigins = reader.has("redirect_origins") ? reader.strings("redirect_origins") : nil
        let behindHost =
            (unixSocket == nil ? reader.secretsBehindHost(of: "base_url", baseURL: baseURL) : [])
            + reader.secretsBehindHost(of: "path", baseURL: baseURL)
        secrets =
            behindHost
            + ["headers", "parameters"].flatMap(reader.secretsByName)
            + (reader.node("body").map(Self.secrets(inBody:)) ?? [])
        if baseURL.contains(where: { $0 == "?" || $0 == "#" }) {
            reader.report(
                .error, at: "base_url", "\"base_url\" has a query or fragment; a query belongs into \"parameters\"")
        }
        if let node = reader.node("body"), !node.isBroken {
            if node.entries == nil {
                reader.report(.error, at: "body", "\"body\": expected mapping, found \(node.found)")
            }
            if method != .post { reader.report(.error, at: "body", "a body is sent by POST; add method: POST") }
        }
        for node in reader.node("redirect_origins")?.elements ?? [] {
            guard let origin = node.text, redirectOrigins?.contains(origin) == true else { continue }
            if let fault = Self.fault(of: origin, from: baseURL) {
                reader.report(.error, at: node.position, "\"redirect_origins\": \(node.foundValue) \(fault)")
            }
        }
    }

    private static func fault(of origin: String, from baseURL: String) -> String? {
        guard let address = WebAddress(origin), address.path == "/", address.query.isEmpty else {
            return "is no origin; write it like https://cdn.example"
        }
        let isDowngrade = address.origin.scheme == "http" && WebAddress(baseURL)?.origin.scheme == "https"
        return isDowngrade ? "is never followed from https" : nil
    }

    /// Whether a header or parameter of this name contains a secret.
    package static func isSecret(_ name: String) -> Bool {
        let marks = ["auth", "cookie", "credential", "jwt", "key", "pass", "secret", "session", "signature", "token"]
        return marks.contains { name.lowercased().contains($0) }
    }

    /// The values whose names mark them as secret, and the values of environment variables.
    private static func secrets(inBody node: ConfigNode) -> [Secret] {
        switch node.content {
        case .null: []
        case .scalar: node.variables.flatMap { [$0, PercentEncoding.component($0)] }.map(Secret.init)
        case .sequence(let elements): elements.flatMap(secrets(inBody:))
        case .mapping(let entries):
            entries.flatMap { entry in
                isSecret(entry.key)
                    ? entry.value.scalars.flatMap { secrets(in: $0.text ?? "") } : secrets(inBody: entry.value)
            }
        }
    }

    /// A value, its part after the scheme, and the percent-encoded forms of both.
    fileprivate static func secrets(in value: String) -> [Secret] {
        [value, value.split(separator: " ").last.map(String.init) ?? value]
            .flatMap { [$0, PercentEncoding.component($0)] }.map(Secret.init)
    }
}

extension FieldReader {
    /// Reads the headers of a field of type `.map(.string)`, and reports those that cannot be sent. Keys in custom
    /// headers, and all values from the environment, are marked as secret.
    package func headers(_ field: String) -> [HTTPHeader] {
        let written = Set((node(field)?.entries ?? []).filter(\.value.isWrittenOut).map(\.key))
        let headers = stringMap(field).map { name, value in
            ConfiguredRequestTemplate.isSecret(name) || !written.contains(name)
                ? HTTPHeader(name, sensitive: value) : HTTPHeader(name, value)
        }
        for header in headers where !header.isSendable {
            report(.error, at: field, "the header \(header.name.debugDescription) cannot be sent")
        }
        return headers
    }

    /// The values of a field of type `.map(.string)` that come from the environment or whose names mark them as secret.
    package func secretsByName(_ field: String) -> [Secret] {
        (node(field)?.entries ?? [])
            .filter { ConfiguredRequestTemplate.isSecret($0.key) || !$0.value.isWrittenOut }
            .flatMap { ConfiguredRequestTemplate.secrets(in: $0.value.text ?? "") }
    }

    /// Reads the URL of a required field. It must be ASCII, since the encoding of other characters is ambiguous, and
    /// without a user, who would be shown with the URL.
    ///
    /// - Parameter advice: completes the error about a user.
    package func sendableURL(_ field: String, advice: String = "give them by \"auth\" instead") -> String {
        let url = url(field)
        if !url.utf8.allSatisfy({ $0 < 0x80 }) {
            report(.error, at: field, "\"\(field)\" holds characters that must be percent-encoded")
        }
        if !url.hasPrefix("unix:"), url.dropFirst("https://".count).prefix(while: { !"/?#".contains($0) }).contains("@")
        {
            report(.error, at: field, "\"\(field)\" holds a user or password; \(advice)")
        }
        return url
    }

    /// The values of environment variables behind the host of a URL, or in its path, both raw and as sent. For a
    /// variable that holds a whole URL, only its path.
    ///
    /// - Parameter baseURL: the URL whose scheme and host may come from the environment and are no secrets.
    package func secretsBehindHost(of field: String, baseURL: String) -> [Secret] {
        let mark = baseURL.firstRange(of: "://")?.upperBound ?? baseURL.startIndex
        let place = baseURL[..<(baseURL[mark...].firstIndex { "/?#".contains($0) } ?? baseURL.endIndex)]
        return (node(field)?.variables ?? []).compactMap { value -> String? in
            guard let scheme = value.firstRange(of: "://") else { return place.contains(value) ? nil : value }
            let path = value[scheme.upperBound...].drop { !"/?#".contains($0) }
            return path.count > 1 ? String(path.hasSuffix("/") ? path.dropLast() : path) : nil
        }.flatMap { [$0, PercentEncoding.path($0), PercentEncoding.component($0)] }.map(Secret.init)
    }
}
