/// A component and what it is built on, for showing the graph without making it.
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

    /// The family's noun: `provider`.
    public let family: String
    /// The text after `type:`.
    public let type: String
    /// The label, or nil for a component that stands within another.
    public let label: String?
    /// Where it is defined.
    public let position: SourcePosition
    /// What it is built on, in the order in which it reads its fields.
    public let children: [Child]

    /// The label, or the type where there is none.
    public var name: String { label ?? type }
}
