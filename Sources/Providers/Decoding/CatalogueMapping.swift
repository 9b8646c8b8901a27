public import JSON
public import PolymorphicCodable

/// The config's `decode`: where the items are and which of their members are ours.
public struct CatalogueMapping: Sendable {
    /// One of our members that has the same value in every item.
    public typealias Constant = (ours: JSONPath, value: JSONValue)

    /// The path to the array of items; `nil` for a document that is the array.
    public var items: JSONPath?
    /// How the kind is found; `nil` when the items carry our own `type`.
    public var type: TypeRule?
    /// Mapped members, in the config's order.
    public var fields: [FieldMapping]
    /// Members that are the same in every item.
    public var constants: [Constant]
    /// Which of the members that are not mapped become attributes.
    public var attributes: AttributePolicy
    /// What happens to items of unknown kind.
    public var unknownKinds: UnknownKindPolicy
    /// What happens to items that cannot be decoded.
    public var onBadItem: BadItemPolicy

    /// Makes a mapping. No field's or constant's path may lead to, or through, another's.
    public init(
        items: JSONPath? = nil, type: TypeRule? = nil, fields: [FieldMapping] = [], constants: [Constant] = [],
        attributes: AttributePolicy = .keep, unknownKinds: UnknownKindPolicy = .reject,
        onBadItem: BadItemPolicy = .reject
    ) {
        self.items = items
        self.type = type
        self.fields = fields
        self.constants = constants
        self.attributes = attributes
        self.unknownKinds = unknownKinds
        self.onBadItem = onBadItem
    }

    /// Whether the items are in our own form, and so are decoded as they are.
    var keepsItems: Bool { type == nil && fields.isEmpty && constants.isEmpty }
}
