package import Text

/// How the connections of a client are made. By default directly, to any address, with the system's roots.
package struct HTTPConnectionOptions: Sendable {
    /// The addresses that a host's name is resolved to. The raw value is the spelling in config files.
    package enum AddressFamily: String, Sendable, CaseIterable {
        case any
        case ipv4
        case ipv6
    }

    /// The PEM files of TLS; nil for the system's roots and no certificate of its own.
    package var files: TLSFiles?
    /// Whether the certificates of servers are verified.
    package var isVerifying = true
    /// The proxies; none by default, even if the environment names some.
    package var proxies = HTTPProxies()
    package var addresses = AddressFamily.any
    /// The upstream that `serverName` and `unixSocket` are for. Redirects may lead to others.
    package var origin: WebOrigin?
    /// The name to send and to find in the certificate, in place of the URL's host.
    package var serverName: String?
    /// The path of the socket to connect to, in place of the URL's host.
    package var unixSocket: String?

    package init() {}

    /// Whether anything differs from the defaults.
    package var isSet: Bool {
        files != nil || !isVerifying || proxies.isSet || addresses != .any || serverName != nil || unixSocket != nil
    }

    /// Texts to keep out of messages.
    package var secrets: [Secret] { proxies.secrets }

    func route(to url: String) -> HTTPRoute {
        var route = HTTPRoute(url: url)
        guard isSet, let target = WebOrigin(url) else { return route }
        if target == origin, let unixSocket {
            route.unixSocket = unixSocket
            return route
        }
        route.proxy = proxies.proxy(for: target)
        if target == origin, let serverName, let port = target.port { route.rename(target.host, port, serverName) }
        return route
    }
}

/// The URL of one request, and the destination of its connection.
///
/// A server's name replaces the host in the URL, and the host to connect to is set separately: libcurl sends and
/// verifies the name in the URL only, and the alternative, `CURLOPT_RESOLVE`, requires addresses. The `Host` header
/// still names the original host.
struct HTTPRoute: Sendable {
    var url: String
    /// The `Host` header; nil to derive it from the URL.
    var hostHeader: String?
    /// `NAME:PORT:HOST:PORT`.
    var connectTo: String?
    var unixSocket: String?
    var proxy: HTTPProxy?

    init(url: String) {
        self.url = url
    }

    fileprivate mutating func rename(_ host: String, _ port: Int, _ name: String) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        hostHeader = String(authority)
        connectTo = "\(name):\(port):\(host):\(port)"
        url = "\(url[..<start])\(name):\(port)\(url[authority.endIndex...])"
    }

    /// The place where the connection is made, for messages; empty for the URL's own host.
    var place: String { unixSocket.map { "unix:\($0): " } ?? "" }
}
