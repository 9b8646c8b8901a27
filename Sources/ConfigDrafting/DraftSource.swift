internal import FileSystem
internal import Logging
package import Networking
internal import Text
internal import Wiring

/// The source of a document that a config is drafted for.
package enum DraftSource: Sendable {
    /// A file that holds a document as the upstream sends it.
    case file(String)
    case http(WebAddress, [HTTPHeader], DraftConnection)

    /// The members of headers that are written into the config. All others may be secrets, and come from the environment.
    private static let writtenHeaders: Set = ["accept", "accept-language", "user-agent"]

    /// Finds the source that an argument names.
    /// - Throws: `DraftProblem.failure` for a URL that cannot be asked.
    package init(
        _ argument: String, headers: [HTTPHeader], _ connection: DraftConnection = DraftConnection()
    ) throws(DraftProblem) {
        guard argument.contains("://"), !argument.hasPrefix("file://") else {
            if connection.isSet { throw .failure("a file is read without a CA or a proxy") }
            let prefix = ["file://", "file:", ""].first { argument.hasPrefix($0) } ?? ""
            self = .file(String(argument.dropFirst(prefix.count)))
            return
        }
        guard let address = WebAddress(argument) else {
            throw .failure(
                "\(argument.prefix { $0 != ":" })://…: expected an http or https URL without a user, or a file"
            )
        }
        if connection.caFile != nil, address.origin.scheme != "https" {
            throw .failure("a CA is for a URL that begins with https")
        }
        self = .http(address, headers, connection)
    }

    /// The scheme, host and port of an upstream.
    var origin: String? {
        if case .http(let address, _, _) = self { address.origin.description } else { nil }
    }

    /// The source in comments and messages, without a query, which may hold secrets.
    package var description: String {
        switch self {
        case .file(let path): path
        case .http(let address, _, _): "\(address.origin)\(address.path)"
        }
    }

    /// The lines of the source: of a shop, or of the provider that reads the file.
    /// - Parameters:
    ///   - pagination: as YAML; nil for a single page.
    ///   - sent: the parameters that it sends itself.
    func lines(pagination: String?, sent: [String]) -> [String] {
        guard case .http(let address, let headers, let connection) = self else {
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
        lines += connection.lines
        if let pagination { lines += YAMLText.wrapped("pagination: \(pagination)") }
        return lines + ["timeout: 10s"]
    }

    /// The environment variables that the lines name, with their values.
    package var variables: [(name: String, value: String)] {
        guard case .http(let address, let headers, let connection) = self else { return [] }
        let parameters = Self.parameters(address).filter { ConfiguredRequestTemplate.isSecret($0.name) }
        let named = headers.filter { !Self.writtenHeaders.contains($0.name.lowercased()) }
        return parameters.map { (Self.variableName($0.name), $0.value) }
            + named.map { header in
                Self.bearer(header).map { (Self.variableName("token"), $0) } ?? (
                    Self.variableName(header.name), header.value
                )
            } + connection.variables
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

/// The way to the upstream of a draft: an authority of its own, a proxy.
package struct DraftConnection: Sendable {
    /// The environment variable of the proxy's user and password.
    private static let variable = "LARDER_UPSTREAM_PROXY_LOGIN"

    /// How the document is asked for.
    package private(set) var options = HTTPConnectionOptions()
    let caFile: String?
    /// The URL of the proxy without user and password.
    private let proxy: String?
    /// User and password as they are written in a URL.
    private let login: String?

    package init() {
        (caFile, proxy, login) = (nil, nil, nil)
    }

    /// - Parameters:
    ///   - caFile: the roots that sign the server's certificate, in PEM.
    ///   - url: of the proxy, with user and password if it wants them.
    /// - Throws: `DraftProblem.failure`, without user and password.
    package init(caFile: String?, proxy url: String?) throws(DraftProblem) {
        do {
            let proxy = try url.map(HTTPProxy.init)
            options.proxies = HTTPProxies(http: proxy, https: proxy)
            let rest = url?.firstRange(of: "://").flatMap { url?[$0.upperBound...] }
            if url != nil, rest == nil { throw HTTPProxyError.scheme("") }
            login = rest.flatMap { rest in rest.lastIndex(of: "@").map { String(rest[..<$0]) } }
            self.proxy = proxy?.url
        } catch { throw .failure("--proxy: \(error)") }
        self.caFile = caFile
        guard let caFile else { return }
        do {
            let content = TLSContent(roots: try Files.read(caFile))
            if let problem = content.problem { throw problem }
            options.files = TLSFiles(
                content, roots: caFile, certificate: nil, key: nil,
                logger: Logger(label: "larder") { _ in SwiftLogNoOpLogHandler() })
        } catch { throw .failure("--ca-file: \(error)") }
    }

    var isSet: Bool { caFile != nil || proxy != nil }

    /// The lines of the config.
    var lines: [String] {
        let tls = caFile.map { "tls: { ca_file: \(YAMLText.scalar($0)) }" }
        let written = proxy.map { url in
            login == nil ? YAMLText.scalar(url) : "\"http://${\(Self.variable)}@\(url.dropFirst("http://".count))\""
        }
        return [tls, written.map { "proxy: \($0)" }].compactMap(\.self)
    }

    /// The environment variables that the lines name, with their values.
    var variables: [(name: String, value: String)] { login.map { [(Self.variable, $0)] } ?? [] }
}
