package import Configuration

/// Warns of secrets written in the config file, which gets into backups, images and version control.
struct PlainSecretLint: Lint {
    /// Words that indicate a secret anywhere in the name of a header or query parameter.
    private static let telling = [
        "authorization", "cookie", "token", "secret", "password", "apikey", "accesskey", "credential", "signature",
    ]
    /// Words that indicate a secret only as whole words.
    private static let tellingWords: Set<Substring> = ["key", "sig"]

    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.flatMap { component in
            component.settings.fields.compactMap { problem(with: $0, in: component.settings) }
                + (component.isProvider("http") ? problems(withRequest: component.settings) : [])
        }
    }

    private func problem(with field: FieldSpec, in settings: ComponentSettings) -> Diagnostic? {
        if case .urlOf = field.type { return problem(withURL: field, in: settings) }
        guard case .secret = field.type, let node = settings.given(field.name), node.isWrittenOut else { return nil }
        let file = field.name + "_file"
        return problem(field.name, node, file: settings.fields.contains { $0.name == file } ? file : nil)
    }

    /// A URL with a password, if it is a proxy's or there is a field for it: other URLs must not have one at all.
    private func problem(withURL field: FieldSpec, in settings: ComponentSettings) -> Diagnostic? {
        let hasFile = settings.fields.contains { $0.name == "password_file" }
        guard hasFile || field.name == "proxy", let node = settings.given(field.name), Self.hasPassword(node) else {
            return nil
        }
        let remedy =
            hasFile ? "name its file in \"password_file\"" : "write \"${NAME}\" and put it into the environment"
        return Diagnostic(
            .warning, at: node.position, "the password in \"\(field.name)\" is written in the config; \(remedy)")
    }

    private func problems(withRequest settings: ComponentSettings) -> [Diagnostic] {
        ["request.headers", "request.parameters"].flatMap { settings.given($0)?.entries ?? [] }
            .filter { Self.isTelling($0.key) && $0.value.isWrittenOut }
            .map { problem($0.writtenKey, $0.value, file: nil) }
    }

    private func problem(_ name: String, _ node: ConfigNode, file: String?) -> Diagnostic {
        let remedy = file.map { ", or name its file in \"\($0)\"" } ?? ""
        return Diagnostic(
            .warning, at: node.position,
            "\"\(name)\" is written in the config; write \"${NAME}\" and put it into the environment\(remedy)")
    }

    /// Whether a password is written in a URL.
    fileprivate static func hasPassword(_ node: ConfigNode) -> Bool {
        guard node.isWrittenOut, let text = node.text,
            let authority = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(2)
                .first,
            let end = authority.lastIndex(of: "@"), let colon = authority[..<end].firstIndex(of: ":")
        else { return false }
        return authority.index(after: colon) < end
    }

    static func isTelling(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return telling.contains(where: words.joined().contains) || !tellingWords.isDisjoint(with: words)
    }
}

/// Finds the secrets that are written in a config, whether its graph uses them or not.
package enum WrittenSecrets {
    /// - Parameter sections: the top-level keys that hold no components.
    package static func positions(
        in document: ConfigDocument, registry: ComponentRegistry, sections: [FieldSpec]
    ) -> [SourcePosition] {
        let families = registry.families.map { FieldSpec.optional($0.section, .componentMap(family: $0.noun), "") }
        return positions(in: document.root, .object(sections + families), registry).sorted()
    }

    private static func positions(
        in node: ConfigNode, _ type: FieldType, _ registry: ComponentRegistry
    ) -> [SourcePosition] {
        let (elements, entries) = (node.elements ?? [], node.entries ?? [])
        switch type {
        case .secret: return node.isWrittenOut ? [node.position] : []
        case .urlOf: return PlainSecretLint.hasPassword(node) ? [node.position] : []
        case .map(.string):
            let telling = entries.filter { PlainSecretLint.isTelling($0.key) && $0.value.isWrittenOut }
            return telling.map(\.value.position)
        case .map(let value): return entries.flatMap { positions(in: $0.value, value, registry) }
        case .list(let element): return elements.flatMap { positions(in: $0, element, registry) }
        case .object(let fields), .unlessOff(let fields):
            return entries.flatMap { entry in
                let field = fields.first { $0.name == entry.key }
                return field.map { positions(in: entry.value, $0.type, registry) } ?? []
            }
        case .component(let noun):
            let spec = registry.family(noun: noun)?.component(type: node["type"]?.text ?? "")
            return positions(in: node, .object(spec?.fields ?? []), registry)
        case .components(let noun): return elements.flatMap { positions(in: $0, .component(family: noun), registry) }
        case .componentMap(let noun):
            return entries.flatMap { positions(in: $0.value, .component(family: noun), registry) }
        default: return []
        }
    }
}

/// Warns of secrets that are sent to another machine over plain `http`, where anyone on the way can read them.
struct PlainTransportLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.providers("http").compactMap { http in
            guard http.children.contains(where: { $0.outline.family == "auth" }),
                let url = http.settings.text("request.base_url"), Self.isReadable(url)
            else { return nil }
            return Diagnostic(
                .warning, at: http.settings.position(of: "auth"),
                "with \"http\" in \"base_url\" everybody on the way can read this secret; make it \"https\"")
        }
    }

    /// Whether a request to this URL leaves the machine unencrypted.
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

    /// Whether a host is this machine by RFC 6761. A name such as `127.0.0.1.example` is not.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false)
        return bytes.count == 4 && bytes[0] == "127" && bytes.allSatisfy { UInt8($0) != nil }
    }
}

/// Warns of upstreams behind a login whose unmapped members are published by default.
struct PublicAttributesLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.providers("http").compactMap { http in
            let headers = http.settings.given("request.headers")?.entries ?? []
            guard
                http.children.contains(where: { $0.outline.family == "auth" })
                    || headers.contains(where: { PlainSecretLint.isTelling($0.key) }),
                ["type", "fields", "constants"].contains(where: { http.settings.given("decode.\($0)") != nil }),
                http.settings.given("decode.attributes") == nil
            else { return nil }
            return Diagnostic(
                .warning, at: http.settings.position(of: "decode"),
                "every member that is not mapped is public, also one like cost_price; list those to keep in \"attributes\", or "
                    + "write attributes: keep")
        }
    }
}
