/// The reason why an exchange with an upstream gave no response. A response of any status is not an error.
package enum HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name has no address, or no resolver responded.
    case resolve(HTTPClientFailure)
    /// No process listens on the port.
    case refused(HTTPClientFailure)
    /// No route, or another failure to connect.
    case unreachable(HTTPClientFailure)
    /// No connection in time; covers resolving and TLS.
    case connectTimeout(HTTPClientFailure)
    /// Connected, but no complete response in time.
    case timeout(HTTPClientFailure)
    /// The connection broke, or ended before any response.
    case reset(HTTPClientFailure)
    /// The response ended before its announced end.
    case truncated(HTTPClientFailure)
    /// The body exceeds the limit, as announced, received or unpacked.
    case bodyTooLarge(HTTPClientFailure)
    case tooManyRedirects(HTTPClientFailure)
    /// The redirect is not followed: it leads to an origin that the request does not name, or from https to http.
    case redirectedAway(HTTPClientFailure)
    /// Handshake or certificate.
    case tls(HTTPClientFailure)
    /// The proxy cannot be reached, or refuses the request.
    case proxy(HTTPClientFailure)
    /// The response is not valid HTTP.
    case protocolViolation(HTTPClientFailure)
    /// The client was shut down before the response came.
    case shutDown(HTTPClientFailure)
    case other(HTTPClientFailure)

    /// The bounded label for metrics and trails.
    package var token: String { parts.token }

    /// Whether the exchange ended before the request was sent.
    package var isBeforeRequest: Bool {
        switch self {
        case .resolve, .refused, .unreachable, .connectTimeout, .tls, .proxy, .shutDown: true
        case .timeout, .reset, .truncated, .bodyTooLarge, .tooManyRedirects, .redirectedAway, .protocolViolation,
            .other:
            false
        }
    }

    private var parts: (token: String, words: String, failure: HTTPClientFailure) {
        switch self {
        case .resolve(let failure): ("resolve", "the host's name could not be resolved", failure)
        case .refused(let failure): ("refused", "the connection was refused", failure)
        case .unreachable(let failure): ("unreachable", "no connection could be made", failure)
        case .connectTimeout(let failure): ("connect-timeout", "no connection in time", failure)
        case .timeout(let failure): ("timeout", "no complete response in time", failure)
        case .reset(let failure): ("reset", "the connection broke", failure)
        case .truncated(let failure): ("truncated", "the response was cut off", failure)
        case .bodyTooLarge(let failure): ("body-too-large", "the body is over the limit", failure)
        case .tooManyRedirects(let failure): ("too-many-redirects", "redirected too often", failure)
        case .redirectedAway(let failure):
            ("redirected-away", "redirected to a forbidden place", failure)
        case .tls(let failure): ("tls", "TLS failed", failure)
        case .proxy(let failure): ("proxy", "no way through the proxy", failure)
        case .protocolViolation(let failure): ("protocol", "the response is not valid HTTP", failure)
        case .shutDown(let failure): ("shut-down", "the client was shut down", failure)
        case .other(let failure): ("other", "the exchange failed", failure)
        }
    }

    /// Place, reason, and the network's message.
    package var description: String {
        let (_, words, failure) = parts
        return failure.detail.isEmpty ? "\(failure.place): \(words)" : "\(failure.place): \(words) (\(failure.detail))"
    }
}

/// The URL of a failed exchange, and the network's message, for operators.
package struct HTTPClientFailure: Sendable, Hashable {
    /// The URL without user, password and query, which may contain secrets.
    let place: String
    /// The network's message; may be empty.
    let detail: String

    init(url: String, detail: String) {
        place = Self.withoutSecrets(url)
        self.detail = detail
    }

    private static func withoutSecrets(_ url: String) -> String {
        let address = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = address.firstRange(of: "://") else { return String(address) }
        let rest = address[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // An invalid host may be the beginning of a password with a slash or question mark in it.
        guard WebOrigin(scheme: address[..<scheme.lowerBound], authority: host)?.isHTTP == true else {
            return "\(address[..<scheme.upperBound])…"
        }
        return String(address[..<scheme.upperBound] + rest[host.startIndex...])
    }
}
