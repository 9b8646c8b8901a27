internal import Configuration

/// Secrets that are sent to another machine over plain `http`, where everybody on the way can read them.
struct PlainTransportLint: Lint {
    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.providers("http").compactMap { http in
            guard http.children.contains(where: { $0.outline.family == "auth" }),
                let url = http.settings.text("request.base_url"), Self.isReadable(url)
            else { return nil }
            return Diagnostic(
                .warning, at: http.settings.position(of: "auth"),
                "with \"http\" in \"base_url\" everybody on the way can read this secret; make it \"https\"")
        }
    }

    /// Whether what is sent there leaves the machine, and is not encrypted.
    private static func isReadable(_ url: String) -> Bool {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "http:" else { return false }
        let authority = parts[2].prefix { !"/?#".contains($0) }
        return !isLoopback(host(in: authority.split(separator: "@").last ?? authority).lowercased())
    }

    private static func host(in authority: Substring) -> Substring {
        guard authority.hasPrefix("[") else { return authority.prefix { $0 != ":" } }
        return authority.dropFirst().prefix { $0 != "]" }
    }

    /// Of names only those that by RFC 6761 never leave the machine; a name that begins like an address is somebody's.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false)
        return bytes.count == 4 && bytes[0] == "127" && bytes.allSatisfy { UInt8($0) != nil }
    }
}
