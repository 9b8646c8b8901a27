internal import JSON
internal import Products

/// How a member of ours that is an object is made.
struct GroupSource: Sendable {
    /// What has to be there for the object to be made.
    enum Condition {
        /// Any of it.
        case something
        /// Every member. Of an object of ours, what upstreams fill in by half says no more than one that is not there.
        case everything
        /// None of it, so that what is missing is named by its own name.
        case nothing
    }

    /// The members, in order.
    var members: [(name: String, source: MemberSource)]
    /// Where their object stands whose other members are kept; `nil` when none are.
    var rest: JSONPath?
    /// When the object is made.
    var condition = Condition.something

    /// The object; nil when too little would be in it.
    func value(in item: JSONValue, _ kind: ProductKind?) throws(ItemProblem) -> JSONValue? {
        var object = rest.flatMap { item[$0]?.object } ?? JSONObject()
        var isWhole = true
        for member in members {
            if let value = try member.source.value(in: item, kind), !isBlank(value) {
                object[member.name] = value
            } else {
                isWhole = false
            }
        }
        return isMade(object, isWhole) ? .object(object) : nil
    }

    /// Whether a part says nothing. In a product of a kind without such an object, an empty string still is one.
    private func isBlank(_ value: JSONValue) -> Bool {
        guard case .everything = condition, case .string("") = value else { return false }
        return true
    }

    private func isMade(_ object: JSONObject, _ isWhole: Bool) -> Bool {
        switch condition {
        case .something: !object.isEmpty
        case .everything: isWhole
        case .nothing: true
        }
    }
}
