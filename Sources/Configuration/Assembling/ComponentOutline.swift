/// A component and what it is built on, for showing and checking the graph without making it.
public struct ComponentOutline: Sendable {
    /// A component within another.
    public struct Child: Sendable {
        /// The field it stands in, such as `upstream`, `providers[0]` or `cases.premium`.
        public let role: String
        /// Whether the config refers to it by label here; then it may stand in several places.
        public let isReference: Bool
        /// The component.
        public let outline: ComponentOutline
    }

    /// What tells the component from all others of a config: the way to it from the top, such as
    /// `providers.storefront` or `providers.storefront.upstream`. It stays the same from one reload to the next.
    public let id: String
    /// The family's noun: `provider`.
    public let family: String
    /// The text after `type:`.
    public let type: String
    /// The label, or nil for a component that stands within another.
    public let label: String?
    /// Where it is defined.
    public let position: SourcePosition
    /// What the config says in its fields.
    public let settings: ComponentSettings
    /// How its own decisions vary by request headers.
    public let ownVariations: [RequestVariation]
    /// What it is built on, in the order in which it reads its fields.
    public let children: [Child]

    /// The label, or the type where there is none.
    public var name: String { label ?? type }

    /// Whether this only stands for a component that could not be read: it has neither fields nor children.
    public var isUnreadable: Bool { type == Self.unreadable }

    /// The type of what stands for a component that could not be read.
    static let unreadable = "unknown"

    /// The component and all it is built on, itself first; each once, however often it is referred to.
    public var all: [ComponentOutline] {
        var seen: Set<String> = []
        var found: [ComponentOutline] = []
        collect(&found, &seen)
        return found
    }

    /// How many components stand below this one, one on the other: 0 for one that is built on nothing.
    var height: Int { children.map { $0.outline.height + 1 }.max() ?? 0 }

    /// How the answers of the component vary, by itself or by anything below it.
    public var variations: [RequestVariation] { all.flatMap(\.ownVariations) }

    /// The same, but for the secrets in its fields and in those of what it is built on.
    public var withoutSecrets: ComponentOutline {
        ComponentOutline(
            id: id, family: family, type: type, label: label, position: position, settings: settings.withoutSecrets,
            ownVariations: ownVariations,
            children: children.map { child in
                Child(role: child.role, isReference: child.isReference, outline: child.outline.withoutSecrets)
            })
    }

    /// Whether another config has the same component in the same place, built on the same.
    public func isSame(as other: ComponentOutline) -> Bool {
        hasSameSettings(as: other) && hasSameChildren(as: other)
    }

    /// Whether two components are built on the same, whatever they are themselves.
    func hasSameChildren(as other: ComponentOutline) -> Bool {
        children.count == other.children.count
            && zip(children, other.children).allSatisfy { $0.role == $1.role && $0.outline.isSame(as: $1.outline) }
    }

    /// Whether the component itself is the same, whatever it is built on, be that within it or referred to.
    func hasSameSettings(as other: ComponentOutline) -> Bool {
        id == other.id && family == other.family && type == other.type
            && settings.hasSameContent(as: other.settings)
    }

    private func collect(_ found: inout [ComponentOutline], _ seen: inout Set<String>) {
        guard seen.insert(id).inserted else { return }
        found.append(self)
        for child in children { child.outline.collect(&found, &seen) }
    }
}

/// How a component's answers vary by a request header.
///
/// A header has any number of values, its variants are few: `audience` has one for each of its cases, `ab_test` one for
/// each arm. Whoever keeps answers for such a component keeps one for each variant.
public struct RequestVariation: Sendable {
    /// The header's name, in lower case.
    public let header: String
    /// What tells the rule from others by which the same header has the same variants, such as an experiment's name.
    public let rule: String
    /// All the variants there are. A reload that leaves header, rule and variants as they were lets answers be kept;
    /// anything else is another division of the same requests.
    public let variants: [String]
    /// The variant that a value leads to, one of `variants`; nil stands for a request without the header.
    public let variant: @Sendable (String?) -> String

    /// A variation by a header, whose name may be in any case.
    public init(
        header: String, rule: String, variants: [String], variant: @escaping @Sendable (String?) -> String
    ) {
        self.header = header.lowercased()
        self.rule = rule
        self.variants = variants
        self.variant = variant
    }
}
