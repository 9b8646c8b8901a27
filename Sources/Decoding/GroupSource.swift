internal import JSON
internal import Products

/// The source of one of our members that is an object.
struct GroupSource: Sendable {
    enum Condition {
        /// Any member is there.
        case something
        /// Every member is there.
        case everything
        /// Always, so that the error about a missing member names that member.
        case nothing
        /// The amount of a price is there; one without a currency is bad.
        case amount
    }

    /// The members, in order.
    var members: [(name: String, source: MemberSource)]
    /// The place of the upstream's object whose other members are kept; nil if none are.
    var rest: JSONPath?
    /// The condition for making the object.
    var condition = Condition.something

    /// Returns the object; nil if its condition is not met.
    func value(in item: JSONValue, _ context: ItemContext) throws(ItemProblem) -> JSONValue? {
        var object = rest.flatMap { item[$0]?.object } ?? JSONObject()
        var isWhole = true
        for member in members {
            if let value = try member.source.value(in: item, context), !isBlank(value) {
                object[member.name] = value
            } else {
                isWhole = false
                if case .something = condition {} else { object[member.name] = nil }
            }
        }
        if case .amount = condition, object["amount"] != nil, object["currency"] == nil {
            throw ItemProblem(ours: OwnForm.currency, problem: "missing")
        }
        return isMade(object, isWhole) ? .object(object) : nil
    }

    /// The members of the item that are left over where an object is not made.
    var parts: [String] {
        guard case .everything = condition else { return [] }
        return members.flatMap { if case .field(let field) = $0.source { return field.parts } else { return [] } }
    }

    func copied(_ kind: ProductKind?) -> ItemCopy.Source? {
        let copied = members.compactMap { member in
            member.source.copied(kind).map { ItemCopy.Member(member.name, $0) }
        }
        guard rest == nil, copied.count == members.count else { return nil }
        let object: CopiedObject =
            switch condition {
            case .something: .some
            case .everything: .whole
            case .nothing: .always
            case .amount: .wholeOrNone
            }
        return .object(copied, object)
    }

    /// Whether a member of an object of ours is blank.
    private func isBlank(_ value: JSONValue) -> Bool {
        if case .everything = condition, case .string("") = value { true } else { false }
    }

    private func isMade(_ object: JSONObject, _ isWhole: Bool) -> Bool {
        switch condition {
        case .something: !object.isEmpty
        case .everything: isWhole
        case .nothing: true
        case .amount: object["amount"] != nil
        }
    }
}
