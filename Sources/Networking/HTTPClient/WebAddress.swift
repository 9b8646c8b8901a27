internal import Text

/// A parsed URL, to check the target of a link before anything is sent.
///
/// It is stricter than most parsers: what they disagree about (backslashes, a user before the host, control characters)
/// is refused, since another parser than the checking one would resolve it.
package struct WebAddress: Sendable, Hashable {
    package let origin: WebOrigin
    /// Begins with a slash; without `.` and `..`.
    package let path: String
    /// With its question mark; empty if absent.
    package let query: String

    /// An absolute URL; nil if invalid or not allowed.
    package init?(_ text: String) {
        guard let text = Self.cleaned(text), let colon = text.firstRange(of: "://") else { return nil }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let origin = WebOrigin(scheme: text[..<colon.lowerBound], authority: authority), origin.isHTTP else {
            return nil
        }
        self.init(origin, rest[authority.endIndex...])
    }

    private init(_ origin: WebOrigin, _ target: some StringProtocol) {
        let path = target.prefix { $0 != "?" }
        self.origin = origin
        self.path = Self.withoutDots(path)
        query = String(target[path.endIndex...])
    }

    var text: String { "\(origin)\(path)\(query)" }

    /// Resolves a link relative to this address by RFC 3986; nil for a link that is invalid or not allowed.
    func resolving(_ reference: String) -> WebAddress? {
        guard let reference = Self.cleaned(reference) else { return nil }
        if Self.hasScheme(reference) { return WebAddress(reference) }
        if reference.hasPrefix("//") { return WebAddress("\(origin.scheme):\(reference)") }
        if reference.hasPrefix("/") { return WebAddress(origin, reference) }
        if reference.isEmpty { return self }
        if reference.hasPrefix("?") { return WebAddress(origin, path + reference) }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return WebAddress(origin, folder + reference)
    }

    /// The text without surrounding blanks and without a fragment, with missing percent-encoding added; nil if it
    /// contains forbidden characters.
    private static func cleaned(_ text: String) -> String? {
        let trimmed = text.drop { $0 == " " }.prefix { $0 != "#" }
        let kept = trimmed.dropLast(trimmed.reversed().prefix { $0 == " " }.count)
        guard kept.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        return PercentEncoding.url(String(kept))
    }

    private static func hasScheme(_ reference: String) -> Bool {
        let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
        return scheme.endIndex != reference.endIndex && reference[scheme.endIndex] == ":"
    }

    private static func withoutDots(_ path: some StringProtocol) -> String {
        var kept: [Substring] = []
        let segments = Substring(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in segments {
            if segment == ".." { _ = kept.popLast() } else if segment != "." { kept.append(segment) }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}

/// Scheme, host and port of a URL: the scope of an upstream's credentials, and of a page in a browser (RFC 6454).
package struct WebOrigin: Sendable, Hashable {
    private static let standardPorts = ["http": 80, "https": 443]

    /// The scheme in lower case.
    package let scheme: String
    /// The host in lower case; an IPv6 address in its brackets.
    let host: String
    /// The port; nil if neither the URL nor the scheme has one.
    let port: Int?

    /// The origin of a URL; nil if it has none.
    package init?(_ url: String) {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
        self.init(scheme: url[..<mark.lowerBound], authority: authority)
    }

    /// The origin of a scheme and an authority; nil if either is unsafe, as with a user before the host.
    init?(scheme: some StringProtocol, authority: some StringProtocol) {
        let (scheme, authority) = (scheme.lowercased(), authority.lowercased())
        let host = authority.prefix(upTo: Self.endOfHost(authority))
        guard Self.isScheme(scheme), Self.isHost(host),
            let port = Self.port(authority.dropFirst(host.count), Self.standardPorts[scheme])
        else { return nil }
        self.scheme = scheme
        self.host = String(host)
        self.port = port
    }

    /// Whether the scheme is `http` or `https`.
    var isHTTP: Bool { Self.standardPorts[scheme] != nil }

    private static func isScheme(_ text: String) -> Bool {
        text.first?.isLetter == true && text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }

    private static func endOfHost(_ authority: String) -> String.Index {
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            return authority.index(after: bracket)
        }
        return authority.firstIndex(of: ":") ?? authority.endIndex
    }

    /// A name of letters, digits and the like, or an address in brackets: nothing ambiguous.
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

    /// The port after the host, or the scheme's default; `.some(nil)` for neither, and nil for an invalid port.
    private static func port(_ rest: Substring, _ standard: Int?) -> Int?? {
        guard let colon = rest.first else { return .some(standard) }
        let digits = rest.dropFirst()
        guard colon == ":", digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        if digits.isEmpty { return .some(standard) }
        guard let number = UInt16(digits) else { return nil }
        return .some(Int(number))
    }
}

extension WebOrigin: CustomStringConvertible {
    /// The origin as browsers send it, without the scheme's own port.
    package var description: String {
        guard let port, Self.standardPorts[scheme] != port else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }
}
