extension ComponentSettings {
    /// A setting as it may be shown to anybody who may see the graph.
    public struct Shown: Sendable, Hashable {
        /// The field's name; within a mapping, the way to it.
        public let name: String
        /// Its value.
        public let text: String
    }

    /// What the file says in those fields that cannot hold a secret, in the order of the file.
    ///
    /// A text or path that comes from the environment is shown as it is written, with the variable's name. What has a
    /// form of its own, such as a number, a duration, a choice or an address, is shown as it is in force, wherever it
    /// comes from; of a URL no more than scheme, host and port. Free mappings, such as headers, are left out.
    public var shown: [Shown] {
        entries.flatMap { entry in
            fields.first { $0.name == entry.key }.map { Self.shown(entry.value, of: $0, within: nil) } ?? []
        }
    }

    private static func shown(_ node: ConfigNode, of field: FieldSpec, within outer: String?) -> [Shown] {
        let name = outer.map { "\($0).\(field.name)" } ?? field.name
        if case .object(let inner) = field.type {
            return (node.entries ?? []).flatMap { entry in
                inner.first { $0.name == entry.key }.map { shown(entry.value, of: $0, within: name) } ?? []
            }
        }
        return text(of: node, as: field.type, isNested: outer != nil).map { [Shown(name: name, text: $0)] } ?? []
    }

    /// Text within a mapping, such as a request's path, may be part of somebody's address; a field of its own names
    /// something, such as an event.
    private static func text(of node: ConfigNode, as type: FieldType, isNested: Bool) -> String? {
        switch type {
        case .integer, .number, .boolean, .duration, .size, .ratio, .choice, .address: node.text
        case .string, .path: isNested ? nil : node.template ?? node.text
        case .url: node.text.flatMap(origin)
        case .secret, .any, .list, .map, .object, .unlessOff, .component, .components, .componentMap: nil
        }
    }

    private static func origin(of url: String) -> String? {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let authority = parts[2].prefix { !"/?#".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return "\(parts[0])//\(host)"
    }
}
