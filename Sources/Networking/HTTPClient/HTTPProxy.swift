internal import Glibc
internal import Text

/// A proxy of HTTP: `http://user:password@host:port`.
package struct HTTPProxy: Sendable {
    /// The URL without user and password.
    package let url: String
    let username: Secret?
    let password: Secret?

    /// - Throws: `HTTPProxyError` with a sentence without user and password.
    package init(_ text: String) throws(HTTPProxyError) {
        let mark = text.firstRange(of: "://")
        let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        guard scheme == "http" else { throw .scheme(scheme.utf8.allSatisfy(\.isAlphanumeric) ? scheme : "") }
        let rest = text[(mark?.upperBound ?? text.startIndex)...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard ["", "/"].contains(rest[authority.endIndex...]) else { throw .path }
        let at = authority.lastIndex(of: "@")
        let place = at.map { authority[authority.index(after: $0)...] } ?? authority
        guard let origin = WebOrigin(scheme: "http", authority: place), let port = origin.port else { throw .host }
        url = "http://\(origin.host):\(port)"
        let user = at.map { authority[..<$0] } ?? ""
        let name = user.prefix { $0 != ":" }
        guard let username = PercentEncoding.decode(name.utf8),
            let password = PercentEncoding.decode(user[name.endIndex...].dropFirst().utf8),
            (username + password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .encoding }
        self.username = user.isEmpty ? nil : Secret(username)
        self.password = user.isEmpty ? nil : Secret(password)
    }

    /// Host and port.
    var place: String { String(url.dropFirst("http://".count)) }

    /// The password, raw and percent-encoded. The user is not included: a short name would occur in most messages.
    fileprivate var secrets: [Secret] {
        password.map { [$0, Secret(PercentEncoding.component($0.reveal()))] } ?? []
    }
}

/// The reason why a text is not the URL of a proxy. Never contains a user or password.
package enum HTTPProxyError: Error, Sendable, Hashable, CustomStringConvertible {
    case scheme(String)
    case path
    case host
    case encoding

    package var description: String {
        switch self {
        case .scheme(let scheme):
            "it must begin with http://" + (scheme.isEmpty ? "" : ", not with \(scheme)://")
                + "; https is sent through a proxy of http as well, by CONNECT"
        case .path: "it must not have a path or a query; percent-encode /, ? and # in a password"
        case .host: "it has no valid host and port"
        case .encoding: "its user or password is not properly percent-encoded"
        }
    }
}

/// The proxies of a client, by the scheme of the URL, and the hosts that are reached without them.
package struct HTTPProxies: Sendable {
    private let http: HTTPProxy?
    private let https: HTTPProxy?
    private let exceptions: [String]

    /// - Parameter exceptions: names, which stand for the names below them as well; addresses; networks like
    ///   `10.0.0.0/8`; `*` for every host.
    package init(http: HTTPProxy? = nil, https: HTTPProxy? = nil, except exceptions: [String] = []) {
        (self.http, self.https) = (http, https)
        self.exceptions = exceptions.map { $0.lowercased() }
    }

    /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; all but the first may be in upper case. Requests
    /// of CGI make `HTTP_PROXY` of a header.
    ///
    /// - Parameter exceptions: take the place of `no_proxy`, unless empty.
    package init(
        environment: (String) -> String?, except exceptions: [String]
    ) throws(HTTPProxyEnvironmentError) {
        func value(_ names: [String]) -> (name: String, text: String)? {
            for name in names {
                if let text = environment(name), !text.isEmpty { return (name, text) }
            }
            return nil
        }
        func proxy(_ names: [String]) throws(HTTPProxyEnvironmentError) -> HTTPProxy? {
            guard let (name, text) = value(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
            do throws(HTTPProxyError) {
                return try HTTPProxy(text)
            } catch {
                throw HTTPProxyEnvironmentError(variable: name, error: error)
            }
        }
        let without = value(["no_proxy", "NO_PROXY"])?.text.split { ", ".contains($0) }.map(String.init) ?? []
        self.init(
            http: try proxy(["http_proxy"]), https: try proxy(["https_proxy", "HTTPS_PROXY"]),
            except: exceptions.isEmpty ? without : exceptions)
    }

    var isSet: Bool { http != nil || https != nil }
    var secrets: [Secret] { [http, https].compactMap { $0 }.flatMap(\.secrets) }

    func proxy(for target: WebOrigin) -> HTTPProxy? {
        let host = target.host.drop { $0 == "[" }.prefix { $0 != "]" }
        guard !exceptions.contains(where: { Self.covers($0[...], host) }) else { return nil }
        return target.scheme == "https" ? https : http
    }

    private static func covers(_ exception: Substring, _ host: Substring) -> Bool {
        if exception == "*" { return true }
        let parts = exception.split(separator: "/", maxSplits: 1)
        if let network = parts.first.flatMap(address), let address = address(host) {
            let bits = parts.count == 2 ? Int(parts[1]) : network.count * 8
            guard let bits, network.count == address.count, (0...network.count * 8).contains(bits) else { return false }
            let whole = bits / 8
            guard network.prefix(whole) == address.prefix(whole) else { return false }
            return bits % 8 == 0 || (network[whole] ^ address[whole]) >> (8 - bits % 8) == 0
        }
        let name = exception.drop { $0 == "*" }.drop { $0 == "." }
        return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
    }

    /// The bytes of an address; nil for a name.
    private static func address(_ text: Substring) -> [UInt8]? {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            if unsafe inet_pton(family, String(text), &bytes) == 1 { return bytes }
        }
        return nil
    }
}

/// A variable of the environment that names no usable proxy.
package struct HTTPProxyEnvironmentError: Error, Sendable, Hashable, CustomStringConvertible {
    let variable: String
    let error: HTTPProxyError

    package var description: String { "\(variable) of the environment: \(error)" }
}
