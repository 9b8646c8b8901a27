/// Scheme, host and port of a URL: how far what is meant for one upstream may go.
struct WebOrigin: Sendable, Hashable {
    /// `http` or `https`.
    let scheme: String
    /// In lower case; an IPv6 address in its brackets.
    let host: String
    /// The scheme's own where the URL has none.
    let port: Int

    /// The origin of a scheme and an authority; nil when either is not to be trusted, as with a user before the host.
    init?(scheme: some StringProtocol, authority: some StringProtocol) {
        let scheme = scheme.lowercased()
        guard let standard = Self.standardPorts[scheme] else { return nil }
        let authority = authority.lowercased()
        let host = authority.prefix(upTo: Self.endOfHost(authority))
        let rest = authority.dropFirst(host.count)
        guard Self.isHost(host), let port = Self.port(rest, standard) else { return nil }
        self.scheme = scheme
        self.host = String(host)
        self.port = port
    }

    private static let standardPorts = ["http": 80, "https": 443]

    private static func endOfHost(_ authority: String) -> String.Index {
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            return authority.index(after: bracket)
        }
        return authority.firstIndex(of: ":") ?? authority.endIndex
    }

    /// A name of letters, digits and the like, or an address in brackets: nothing that two readers could read in two
    /// ways.
    private static func isHost(_ host: Substring) -> Bool {
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isAddress ? host.dropFirst().dropLast() : host
        return !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "."):
                    true
                case UInt8(ascii: ":"), UInt8(ascii: "%"): isAddress
                case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): !isAddress
                default: false
                }
            }
    }

    private static func port(_ rest: Substring, _ standard: Int) -> Int? {
        guard let colon = rest.first else { return standard }
        let digits = rest.dropFirst()
        guard colon == ":", digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return digits.isEmpty ? standard : UInt16(digits).map(Int.init)
    }
}

extension WebOrigin: CustomStringConvertible {
    /// As in a URL, without the scheme's own port.
    var description: String {
        Self.standardPorts[scheme] == port ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
