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

    private static func afterScheme(_ text: String) -> Substring? {
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            return text.dropFirst(scheme.count)
        }
        return nil
    }
}
