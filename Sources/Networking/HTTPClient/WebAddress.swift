/// A URL taken apart, so that where a link leads is known before anything is sent there.
///
/// It is stricter than most readers of URLs: what they disagree about (backslashes, a user before the host, control
/// characters) is refused, since it would be asked by another reader than the one that checked it.
struct WebAddress: Sendable, Hashable {
    let origin: WebOrigin
    /// Begins with a slash; without `.` and `..`.
    let path: String
    /// With its question mark; empty when there is none.
    let query: String

    /// An absolute URL; nil when it is none, or none that may be followed.
    init?(_ text: String) {
        guard let text = Self.cleaned(text), let colon = text.firstRange(of: "://") else { return nil }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let origin = WebOrigin(scheme: text[..<colon.lowerBound], authority: authority) else { return nil }
        self.init(origin, rest[authority.endIndex...])
    }

    private init(_ origin: WebOrigin, _ target: some StringProtocol) {
        let path = target.prefix { $0 != "?" }
        self.origin = origin
        self.path = Self.withoutDots(path)
        query = String(target[path.endIndex...])
    }

    /// The whole URL.
    var text: String { "\(origin)\(path)\(query)" }

    /// Where a link on this page leads, by RFC 3986; nil when it is none, or none that may be followed.
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

    /// The text without blanks around it and without a fragment, percent-encoded where that was forgotten; nil when it
    /// holds what must not be in a URL.
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
