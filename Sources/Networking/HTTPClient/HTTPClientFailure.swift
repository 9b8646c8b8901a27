/// Where an exchange failed, and the network's own words about it, for operators.
public struct HTTPClientFailure: Sendable, Hashable {
    /// The URL without user, password and query, which may hold secrets.
    public let place: String
    /// The network's words; may be empty.
    public let detail: String

    /// Creates a failure of an exchange with `url`.
    public init(url: String, detail: String) {
        place = Self.withoutSecrets(url)
        self.detail = detail
    }

    private static func withoutSecrets(_ url: String) -> String {
        let address = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = address.firstRange(of: "://") else { return String(address) }
        let rest = address[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // What is no host may be the beginning of a password with a slash or question mark in it.
        guard WebOrigin(scheme: address[..<scheme.lowerBound], authority: host) != nil else {
            return "\(address[..<scheme.upperBound])…"
        }
        return String(address[..<scheme.upperBound] + rest[host.startIndex...])
    }
}
