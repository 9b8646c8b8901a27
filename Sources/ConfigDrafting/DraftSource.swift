package import Networking
internal import Text
internal import Wiring

/// The source of a document that a config is drafted for.
package enum DraftSource: Sendable {
    /// A file that holds a document as the upstream sends it.
    case file(String)
    case http(WebAddress, [HTTPHeader])

    /// The members of headers that are written into the config. All others may be secrets, and come from the environment.
    private static let writtenHeaders: Set = ["accept", "accept-language", "user-agent"]

    /// Finds the source that an argument names.
    /// - Throws: `DraftProblem.failure` for a URL that cannot be asked.
    package init(_ argument: String, headers: [HTTPHeader]) throws(DraftProblem) {
        guard argument.contains("://") else {
            self = .file(argument.hasPrefix("file:") ? String(argument.dropFirst("file:".count)) : argument)
            return
        }
        if argument.hasPrefix("file://") {
            self = .file(String(argument.dropFirst("file://".count)))
            return
        }
        guard let address = WebAddress(argument) else {
            throw .failure(
                "\(argument.prefix { $0 != ":" })://…: expected an http or https URL without a user, or a file"
            )
        }
        self = .http(address, headers)
    }

    /// The scheme, host and port of an upstream.
    var origin: String? {
        if case .http(let address, _) = self { address.origin.description } else { nil }
    }

    /// The source in comments and messages, without a query, which may hold secrets.
    package var description: String {
        switch self {
        case .file(let path): path
        case .http(let address, _): "\(address.origin)\(address.path)"
        }
    }

    /// The lines of the source: of a shop, or of the provider that reads the file.
    /// - Parameters:
    ///   - pagination: as YAML; nil for a single page.
    ///   - sent: the parameters that it sends itself.
    func lines(pagination: String?, sent: [String]) -> [String] {
        guard case .http(let address, let headers) = self else {
            return [
                "# The upstream takes the place of the file by type: http and request: { base_url: URL, path: PATH }.",
                "type: file", "path: \(YAMLText.scalar(description))",
            ]
        }
        var lines = [
            "type: shop", "url: \(YAMLText.scalar("\(address.origin)\(address.path)"))",
            "data: \"${LARDER_DATA:-.larder}\"", "ttl: 1m",
        ]
        let parameters = Self.parameters(address).filter { !sent.contains($0.name) }.map { parameter in
            let isSecret = ConfiguredRequestTemplate.isSecret(parameter.name)
            return (parameter.name, isSecret ? Self.variable(parameter.name) : YAMLText.scalar(parameter.value))
        }
        if !parameters.isEmpty { lines += YAMLText.wrapped("parameters: \(YAMLText.flow(parameters))") }
        let others = headers.filter { Self.bearer($0) == nil }.map { header in
            let isWritten = Self.writtenHeaders.contains(header.name.lowercased())
            return (header.name, isWritten ? YAMLText.scalar(header.value) : Self.variable(header.name))
        }
        if !others.isEmpty { lines += YAMLText.wrapped("headers: \(YAMLText.flow(others))") }
        if headers.contains(where: { Self.bearer($0) != nil }) {
            lines.append("auth: { type: bearer, token: \(Self.variable("token")) }   # or token_file")
        }
        if let pagination { lines += YAMLText.wrapped("pagination: \(pagination)") }
        return lines + ["timeout: 10s"]
    }

    /// The environment variables that the lines name, with their values.
    package var variables: [(name: String, value: String)] {
        guard case .http(let address, let headers) = self else { return [] }
        let parameters = Self.parameters(address).filter { ConfiguredRequestTemplate.isSecret($0.name) }
        let named = headers.filter { !Self.writtenHeaders.contains($0.name.lowercased()) }
        return parameters.map { (Self.variableName($0.name), $0.value) }
            + named.map { header in
                Self.bearer(header).map { (Self.variableName("token"), $0) } ?? (
                    Self.variableName(header.name), header.value
                )
            }
    }

    private static func parameters(_ address: WebAddress) -> [(name: String, value: String)] {
        address.query.dropFirst().split(separator: "&").map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = sides.map { PercentEncoding.decode($0.utf8, plusIsSpace: true) ?? String($0) }
            return (texts[0], texts.count > 1 ? texts[1] : "")
        }
    }

    private static func bearer(_ header: HTTPHeader) -> String? {
        guard header.name.lowercased() == "authorization", header.value.lowercased().hasPrefix("bearer ") else {
            return nil
        }
        return String(header.value.dropFirst("bearer ".count))
    }

    private static func variable(_ name: String) -> String { "\"${\(variableName(name))}\"" }

    private static func variableName(_ name: String) -> String {
        "LARDER_UPSTREAM_" + String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
