internal import Configuration

/// Secrets that stand in the config file as they are, and so in backups, images and version control.
struct PlainSecretLint: Lint {
    /// What the names of headers and query parameters that carry secrets have in them.
    private static let telling = [
        "authorization", "cookie", "token", "secret", "password", "apikey", "accesskey", "credential", "signature",
    ]
    /// Words that tell so only where they stand for themselves.
    private static let tellingWords: Set<Substring> = ["key", "sig"]

    func problems(in graph: LintedGraph) -> [Diagnostic] {
        graph.components.flatMap { component in
            let fields = graph.fields(of: component)
            return fields.flatMap { problems(with: $0, among: fields, of: component) }
                + (component.isProvider("http") ? problems(withRequest: component.settings) : [])
        }
    }

    private func problems(
        with field: FieldSpec, among fields: [FieldSpec], of component: ComponentOutline
    ) -> [Diagnostic] {
        guard let node = component.settings.given(field.name), node.isWrittenOut else { return [] }
        guard case .secret = field.type else { return [] }
        let file = field.name + "_file"
        return [problem(field.name, node, file: fields.contains { $0.name == file } ? file : nil)]
    }

    private func problems(withRequest settings: ComponentSettings) -> [Diagnostic] {
        ["request.headers", "request.parameters"].flatMap { settings.given($0)?.entries ?? [] }
            .filter { Self.isTelling($0.key) && $0.value.isWrittenOut }
            .map { problem($0.writtenKey, $0.value, file: nil) }
    }

    private func problem(_ name: String, _ node: ConfigNode, file: String?) -> Diagnostic {
        let remedy = file.map { ", or name its file by \"\($0)\"" } ?? ""
        return Diagnostic(
            .warning, at: node.position,
            "\"\(name)\" stands in the config as it is; write \"${NAME}\" and put it into the environment\(remedy)")
    }

    private static func isTelling(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return telling.contains(where: words.joined().contains) || !tellingWords.isDisjoint(with: words)
    }
}
