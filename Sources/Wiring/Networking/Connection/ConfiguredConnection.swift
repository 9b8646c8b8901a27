package import Configuration
internal import Glibc
package import Logging
package import Networking
package import Text

/// The settings of a component's way to its upstream, and the client that they make.
package struct ConfiguredConnection: Sendable {
    /// The fields of every component that sends requests.
    package static let fields: [FieldSpec] = [
        .optional("tls", .object(tlsFields), "how connections over https are verified and made"),
        .optional(
            "proxy", .urlOf(["http"], like: "http://proxy.example:3128", or: "environment"),
            "the proxy, with user and password if it wants them; environment reads http_proxy, https_proxy and no_proxy, "
                + "which are ignored otherwise"),
        .optional(
            "no_proxy", .list(.string),
            "hosts without the proxy: names, with those below them, addresses, networks like 10.0.0.0/8"),
        addressFamily,
    ]

    /// The field for the addresses of a name.
    static let addressFamily = FieldSpec.defaulted(
        "resolve", .choice(HTTPConnectionOptions.AddressFamily.self), "any",
        "the addresses that the host's name is resolved to")

    private static let tlsFields: [FieldSpec] = [
        .optional("ca_file", .path, "the roots that sign the server's certificate, in PEM; else the system's"),
        .optional("certificate", .path, "the chain that proves this client to the server, in PEM"),
        .optional("key", .path, "the private key of the certificate, in PEM"),
        .optional("server_name", .string, "the name to ask for and to find in the certificate, if the URL has another"),
        .defaulted("insecure_skip_verify", .boolean, "false", "takes any certificate, also of an impostor"),
    ]

    private let name: String
    private var options = HTTPConnectionOptions()
    private var files: (content: TLSContent, roots: String?, certificate: String?, key: String?)?

    /// Texts to keep out of messages.
    package var secrets: [Secret] { options.secrets }

    /// Reads `fields`, and reports what does not fit together.
    ///
    /// - Parameters:
    ///   - url: of the upstream.
    ///   - field: the name of its field, for messages.
    ///   - unixSocket: the path of the socket that stands for the URL's host.
    package init(_ reader: FieldReader, url: String, from field: String, unixSocket: String? = nil) {
        name = reader.name
        options.origin = WebOrigin(url)
        options.unixSocket = unixSocket
        options.addresses = reader.choice("resolve", HTTPConnectionOptions.AddressFamily.self)
        options.proxies = Self.proxies(reader)
        if let tls = reader.optionalObject("tls") { read(tls, isHTTPS: options.origin?.scheme == "https", field) }
        guard unixSocket != nil else { return }
        for key in ["proxy", "resolve"] where reader.has(key) {
            reader.report(.error, at: key, "\"\(key)\" is for hosts, and \"\(field)\" is a unix socket")
        }
    }

    /// Reads `addressFamily` alone, for a component that only connects.
    init(addressesOf reader: FieldReader) {
        name = reader.name
        options.addresses = reader.choice("resolve", HTTPConnectionOptions.AddressFamily.self)
    }

    /// The client of all components, or with settings one with connections of its own, which ends with the component.
    func client(in assembly: Assembly) -> HTTPClient {
        let shared = assembly.resource(HTTPClient.self)
        let client = client(beside: shared, logger: assembly.resource(Logger.self))
        if client !== shared { assembly.onShutdown("connections of \(name)") { await client.shutdown() } }
        return client
    }

    /// The shared client, or with settings one with connections of its own, to be shut down by the caller.
    package func client(beside shared: HTTPClient, logger: @autoclosure () -> Logger) -> HTTPClient {
        var options = options
        options.files = files.map {
            TLSFiles($0.content, roots: $0.roots, certificate: $0.certificate, key: $0.key, logger: logger())
        }
        return options.isSet ? shared.connecting(by: options) : shared
    }

    private mutating func read(_ tls: FieldReader, isHTTPS: Bool, _ field: String) {
        let paths = ["ca_file", "certificate", "key"].map(tls.optionalPath)
        options.serverName = tls.optionalString("server_name")
        options.isVerifying = !tls.boolean("insecure_skip_verify")
        guard isHTTPS else {
            return tls.report(.error, at: nil, "\"tls\" is for https, which \"\(field)\" does not begin with")
        }
        if let name = options.serverName, WebOrigin("https://\(name)")?.description != "https://\(name.lowercased())" {
            tls.report(.error, at: "server_name", "\"server_name\" must be a host's name, without scheme and port")
        }
        if !options.isVerifying {
            tls.report(
                .warning, at: "insecure_skip_verify",
                "with \"insecure_skip_verify\" any server on the way can pose as the upstream and set prices; name its "
                    + "CA by \"ca_file\" instead")
        }
        if (paths[1] == nil) != (paths[2] == nil) {
            let alone = paths[1] == nil ? "key" : "certificate"
            tls.report(.error, at: alone, "\"certificate\" and \"key\" belong together; one of them is missing")
        } else if paths.contains(where: { $0 != nil }) {
            readFiles(tls, paths)
        }
    }

    private mutating func readFiles(_ tls: FieldReader, _ paths: [String?]) {
        let texts = ["ca_file", "certificate", "key"].map { tls.textOfFile($0).map { Array($0.utf8) } }
        guard zip(paths, texts).allSatisfy({ $0 == nil || $1 != nil }) else { return }
        let roots = TLSContent(roots: texts[0] ?? [])
        let own = TLSContent(chain: texts[1] ?? [], key: texts[2] ?? [])
        if texts[0] != nil, let problem = roots.problem {
            tls.report(.error, at: "ca_file", "\"ca_file\": \(problem)")
        }
        if texts[1] != nil, let problem = own.problem {
            let field = problem.isAboutKey ? "key" : "certificate"
            tls.report(.error, at: field, "\"\(field)\": \(problem)")
        }
        let content = TLSContent(roots: texts[0] ?? [], chain: texts[1] ?? [], key: texts[2] ?? [])
        files = (content, paths[0], paths[1], paths[2])
    }

    private static func proxies(_ reader: FieldReader) -> HTTPProxies {
        let exceptions = reader.strings("no_proxy")
        guard let text = reader.optionalURL("proxy") else {
            if reader.has("no_proxy") {
                reader.report(.error, at: "no_proxy", "without \"proxy\" every host is reached without one")
            }
            return HTTPProxies()
        }
        do {
            if text == "environment" {
                return try HTTPProxies(
                    environment: { name in unsafe getenv(name).map { unsafe String(cString: $0) } }, except: exceptions)
            }
            let proxy = try HTTPProxy(text)
            return HTTPProxies(http: proxy, https: proxy, except: exceptions)
        } catch {
            reader.report(.error, at: "proxy", "\"proxy\": \(error)")
            return HTTPProxies()
        }
    }
}

extension FieldReader {
    /// The URL of an upstream: `http://localhost` for one at a unix socket, which is written `unix:/run/shop.sock`.
    package func upstreamURL(_ field: String, advice: String? = nil) -> (url: String, unixSocket: String?) {
        let url = advice.map { sendableURL(field, advice: $0) } ?? sendableURL(field)
        guard url.hasPrefix("unix:") else { return (url, nil) }
        let path = String(url.dropFirst("unix:".count))
        // The system's limit, without the NUL at the end.
        if !path.hasPrefix("/") || path.hasSuffix("/") || path.utf8.count > 107 {
            report(
                .error, at: field,
                "\"\(field)\": after unix: expected the absolute path of a socket, at most 107 bytes, such as "
                    + "unix:/run/shop.sock")
        }
        return ("http://localhost", path)
    }
}
