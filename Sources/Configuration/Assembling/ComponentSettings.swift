/// What the config says in the fields of one component, for rules that look at the graph as a whole.
///
/// Fields within mappings are named by their way: `request.base_url`. Values have been checked when a rule sees them;
/// of a component with problems every getter may give nil.
public struct ComponentSettings: Sendable {
    let entries: [ConfigNode.Entry]
    /// The fields that the component may have.
    public let fields: [FieldSpec]
    private let position: SourcePosition

    init(entries: [ConfigNode.Entry], fields: [FieldSpec], position: SourcePosition) {
        self.entries = entries
        self.fields = fields
        self.position = position
    }

    /// The value of a field as it stands in the file, or its default; nil when it has neither.
    public func node(_ field: String) -> ConfigNode? {
        given(field) ?? defaulted(field)
    }

    /// The value of a field as it stands in the file.
    public func given(_ field: String) -> ConfigNode? {
        let names = field.split(separator: ".").map(String.init)
        guard let first = names.first, var node = entries.first(where: { $0.key == first })?.value else { return nil }
        for name in names.dropFirst() {
            guard let inner = node[name] else { return nil }
            node = inner
        }
        return node
    }

    /// Where a field's value stands; the component's place when the file does not have it.
    public func position(of field: String) -> SourcePosition {
        given(field)?.position ?? position
    }

    /// The text of a field.
    public func text(_ field: String) -> String? { node(field)?.text }

    /// The duration in a field.
    public func duration(_ field: String) -> Duration? { text(field).flatMap(DurationText.parse) }

    /// The whole number in a field.
    public func integer(_ field: String) -> Int? { text(field).flatMap { Int($0) } }

    /// The number in a field.
    public func number(_ field: String) -> Double? { text(field).flatMap { Double($0) } }

    /// Whether two components were given the same, wherever it stands. Defaults count as not given, and fields that
    /// hold other components do not count.
    func hasSameContent(as other: ComponentSettings) -> Bool {
        ownContent.hasSameContent(as: other.ownContent)
    }

    /// The same without the fields that hold a secret.
    var withoutSecrets: ComponentSettings {
        let open = entries.filter { entry in
            guard case .secret = fields.first(where: { $0.name == entry.key })?.type else { return true }
            return false
        }
        return ComponentSettings(entries: open, fields: fields, position: position)
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
