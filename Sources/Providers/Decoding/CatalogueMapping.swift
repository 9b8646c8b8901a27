public import JSON
internal import Products

/// The config's `decode`: where the items are and which of their members are ours.
public struct CatalogueMapping: Sendable {
    /// One of our members and the place of its value in their item.
    public typealias Field = (ours: JSONPath, theirs: JSONPath)
    /// One of our members that has the same value in every item.
    public typealias Constant = (ours: JSONPath, value: JSONValue)

    /// The path to the array of items; the root for a document that is the array.
    public var items: JSONPath
    /// How the kind is found; `nil` when the items carry our own `type`.
    public var type: TypeRule?
    /// Mapped members, in the config's order.
    public var fields: [Field]
    /// Members that are the same in every item.
    public var constants: [Constant]
    /// What happens to items of unknown kind.
    public var unknownKinds: UnknownKindPolicy

    /// Makes a mapping.
    public init(
        items: JSONPath = .root, type: TypeRule? = nil, fields: [Field] = [], constants: [Constant] = [],
        unknownKinds: UnknownKindPolicy = .reject
    ) {
        self.items = items
        self.type = type
        self.fields = fields
        self.constants = constants
        self.unknownKinds = unknownKinds
    }

    /// Whether an item, rewritten, goes on to be decoded: all do, unless items of unknown kind are skipped.
    func accepts(_ ours: JSONObject) -> Bool {
        unknownKinds == .reject || ours["type"]?.string.flatMap(ProductKind.init(rawValue:)) != nil
    }

    /// The item in our own form.
    ///
    /// - Throws: `ProductsFailure.malformed` when the kind cannot be told, with the item's index.
    func rewritten(_ theirs: JSONObject, at index: Int) throws(ProductsFailure) -> JSONObject {
        let item = JSONValue.object(theirs)
        var ours = JSONObject()
        if let type {
            guard let kind = type.kind(of: item) else {
                throw .malformed(detail: "[\(index)].type: nothing to tell the kind by")
            }
            ours["type"] = .string(kind)
        }
        for field in fields {
            if let value = item[field.theirs], !value.isNull { ours.set(value, at: field.ours) }
        }
        for constant in constants { ours.set(constant.value, at: constant.ours) }
        for member in theirs.members where !isMapped(member.key) && ours[member.key] == nil {
            ours[member.key] = member.value
        }
        return ours
    }

    /// Whether one of their members became one of ours whole. One of which only a part was mapped stays an attribute.
    private func isMapped(_ key: String) -> Bool {
        fields.contains { $0.theirs.components.count == 1 && $0.theirs.components[0] == key }
    }
}
