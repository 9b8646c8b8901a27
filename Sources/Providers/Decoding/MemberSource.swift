internal import JSON
internal import Products

/// How one member of ours is made of an item of theirs.
indirect enum MemberSource: Sendable {
    /// Of a member of theirs.
    case field(FieldSource)
    /// It is always this.
    case constant(JSONValue)
    /// It is an object, of which every member is made on its own.
    case group(GroupSource)

    /// The member's value; nil when it has none.
    func value(in item: JSONValue, _ kind: ProductKind?) throws(ItemProblem) -> JSONValue? {
        switch self {
        case .field(let field): try field.value(in: item, kind)
        case .constant(let value): value
        case .group(let group): try group.value(in: item, kind)
        }
    }
}
