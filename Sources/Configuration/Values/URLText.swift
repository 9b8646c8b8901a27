/// Checks the URLs that a config may hold: absolute, `http` or `https`, with a host.
enum URLText {
    static func parse(_ text: String) -> String? {
        let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        guard isClean, let rest = afterScheme(text) else { return nil }
        let authority = rest.prefix { !"/?#".contains($0) }
        let hostAndPort = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let isGood = NetworkAddress.host(hostAndPort) != nil || NetworkAddress(String(hostAndPort)) != nil
        return isGood ? text : nil
    }

    /// The fault that keeps a text from being such a URL, and the one that was probably meant.
    static func fault(_ text: String) -> TextFault? {
        if text.isEmpty { return TextFault("it is empty") }
        if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
            return TextFault("it holds a blank or a control character")
        }
        guard let separator = text.firstRange(of: "://") else {
            return TextFault("it has no scheme", meant: meant("http://\(text)"))
        }
        let (scheme, rest) = (String(text[..<separator.lowerBound]), text[separator.upperBound...])
        guard ["http", "https"].contains(scheme.lowercased()) else {
            let closest = ClosestName.to(scheme, among: ["http", "https"])
            return TextFault(
                "its scheme is neither http nor https", meant: closest.flatMap { meant("\($0)://\(rest)") })
        }
        if parse(String(rest)) != nil { return TextFault("it has two schemes", meant: meant(String(rest))) }
        let authority = rest.prefix { !"/?#".contains($0) }
        let isPortOnly = authority.hasPrefix(":") && !authority.hasPrefix("::")
        if authority.isEmpty || isPortOnly { return TextFault("it has no host") }
        guard authority.contains(":") else { return TextFault("its host is neither a name nor an address") }
        return NetworkAddress.fault(String(authority)).map { fault in
            TextFault(
                fault.problem, meant: fault.meant.flatMap { meant("\(scheme)://\($0)\(rest[authority.endIndex...])") })
        }
    }

    /// A suggestion, as long as it is a URL and holds neither a password nor a query or fragment.
    private static func meant(_ text: String) -> String? {
        text.contains(where: { "@?#".contains($0) }) ? nil : parse(text)
    }

    private static func afterScheme(_ text: String) -> Substring? {
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            return text.dropFirst(scheme.count)
        }
        return nil
    }
}
