internal import Text

/// The field values of one component, for lints over the whole graph.
///
/// Fields within mappings are named by their path: `request.base_url`. Lints see checked values only; for a component
/// with problems every getter may return nil.
public struct ComponentSettings: Sendable {
    let entries: [ConfigNode.Entry]
    /// The fields that the component may have.
    public let fields: [FieldSpec]
    let position: SourcePosition

    /// The value of a field as written in the file, or its default; nil if it has neither.
    public func node(_ field: String) -> ConfigNode? {
        given(field) ?? defaulted(field)
    }

    /// The value of a field as written in the file.
    public func given(_ field: String) -> ConfigNode? {
        let names = field.split(separator: ".").map(String.init)
        guard let first = names.first, var node = entries.first(where: { $0.key == first })?.value else { return nil }
        for name in names.dropFirst() {
            guard let inner = node[name] else { return nil }
            node = inner
        }
        return node
    }

    /// The position of a field's value, or of the component if the file does not set it.
    public func position(of field: String) -> SourcePosition {
        given(field)?.position ?? position
    }

    /// The text of a field.
    public func text(_ field: String) -> String? { node(field)?.text }

    /// The duration in a field.
    public func duration(_ field: String) -> Duration? { text(field).flatMap(DurationText.parse) }

    /// The whole number in a field.
    public func integer(_ field: String) -> Int? { text(field).flatMap { Int($0) } }

    /// Whether both components set the same values, wherever they are written. Defaults count as not set, and fields
    /// that contain other components are ignored.
    func hasSameContent(as other: ComponentSettings) -> Bool {
        ownContent.hasSameContent(as: other.ownContent)
    }

    private var ownContent: ConfigNode {
        let own = entries.filter { entry in fields.first { $0.name == entry.key }?.type.isComponent != true }
        return ConfigNode(.mapping(own), at: position)
    }

    private func defaulted(_ field: String) -> ConfigNode? {
        var fields = fields
        var found: FieldSpec?
        for name in field.split(separator: ".") {
            found = fields.first { $0.name == name }
            guard case .object(let inner) = found?.type else {
                fields = []
                continue
            }
            fields = inner
        }
        guard let found, case .defaulted(let text) = found.requirement else { return nil }
        return DefaultText.node(text, of: field, at: position)
    }
}

extension ComponentSettings {
    /// A setting that may be shown together with the graph.
    public struct Shown: Sendable, Hashable {
        /// The field's name; within a mapping, its path.
        public let name: String
        /// The value.
        public let text: String
    }

    /// The fields that cannot hold a secret, as the file sets them and in its order.
    ///
    /// A text or path from the environment is shown as written, with the variable's name. Numbers, durations, choices
    /// and addresses are shown with their value in force. Of a URL only scheme, host and port are shown; free mappings,
    /// such as headers, are left out.
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

    /// Text within a mapping, such as a request's path, may be part of an address with a secret; text in a field of its
    /// own is a name, for example of an event.
    private static func text(of node: ConfigNode, as type: FieldType, isNested: Bool) -> String? {
        switch type {
        case .integer, .boolean, .duration, .size, .ratio, .choice, .address: node.text
        case .string, .path: isNested ? nil : node.template ?? node.text
        case .url, .urlOf: node.text.flatMap(origin)
        case .secret, .any, .list, .map, .object, .unlessOff, .component, .components, .componentMap: nil
        }
    }

    private static func origin(of url: String) -> String? {
        if url.hasPrefix("unix:") { return url }
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let authority = parts[2].prefix { !"/?#".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return "\(parts[0])//\(host)"
    }
}
