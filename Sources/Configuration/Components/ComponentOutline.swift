/// A component and those below it, to show and check a graph without making it.
public struct ComponentOutline: Sendable {
    /// A component within another.
    public struct Child: Sendable {
        /// The field that contains it, such as `upstream`, `providers[0]` or `cases.premium`.
        public let role: String
        /// Whether this is a reference by label; there may be several to one component.
        public let isReference: Bool
        /// The component.
        public let outline: ComponentOutline
    }

    /// Identifies the component within a config by its path from the top, such as `providers.storefront` or
    /// `providers.storefront.upstream`. It is stable over reloads.
    public let id: String
    /// The family's noun: `provider`.
    public let family: String
    /// The text after `type:`.
    public let type: String
    /// The label, or nil for a component within another.
    public let label: String?
    /// The position of its definition.
    public let position: SourcePosition
    /// The values of its fields.
    public let settings: ComponentSettings
    /// The facts that its spec and its plan have stated about it, each of a type known to the composition root.
    let statedFacts: [any Sendable]
    /// The components below it, in the order in which it reads its fields.
    public let children: [Child]

    /// The name in metrics, in the graph and in orders: the label in the config file; for a component within another
    /// the path from there, such as `storefront.cases.gold`. The type of a component replaces each `upstream`:
    /// `remote.http`.
    public let metricLabel: String

    /// The label, or the type if there is none.
    public var name: String { label ?? type }

    /// Whether this is a placeholder for a component that could not be read, without fields or children.
    public var isUnreadable: Bool { type == Self.unreadable }

    /// The type of the placeholder for a component that could not be read.
    static let unreadable = "unknown"

    /// The component and everything below it, itself first; each once, however many references it has.
    public var all: [ComponentOutline] {
        var seen: Set<String> = []
        var found: [ComponentOutline] = []
        collect(&found, &seen)
        return found
    }

    /// The length of the longest chain of components below this one; 0 without any.
    package var height: Int { children.map { $0.outline.height + 1 }.max() ?? 0 }

    /// The facts of a type that are stated about this component itself.
    package func facts<Fact: Sendable>(_ type: Fact.Type) -> [Fact] { statedFacts.compactMap { $0 as? Fact } }

    /// Whether another config has the same component in the same place, with the same settings and the same components
    /// below.
    func isSame(as other: ComponentOutline) -> Bool {
        id == other.id && family == other.family && type == other.type
            && settings.hasSameContent(as: other.settings) && hasSameChildren(as: other)
    }

    /// Whether the components below are the same, whatever the settings of these two.
    func hasSameChildren(as other: ComponentOutline) -> Bool {
        children.count == other.children.count
            && zip(children, other.children).allSatisfy { $0.role == $1.role && $0.outline.isSame(as: $1.outline) }
    }

    private func collect(_ found: inout [ComponentOutline], _ seen: inout Set<String>) {
        guard seen.insert(id).inserted else { return }
        found.append(self)
        for child in children { child.outline.collect(&found, &seen) }
    }
}
