internal import JSON
internal import Products

/// How one member of ours, below which there are no others, is made of an item of theirs.
struct FieldSource: Sendable {
    private let field: FieldMapping
    private let ours: String
    private let spec: MemberSpec
    /// Whether errors name their place; it needs no name when it bears our own.
    private let isMapped: Bool

    /// A member that the config maps.
    init(_ field: FieldMapping) {
        self.field = field
        ours = field.ours.description
        spec = OwnForm.spec(at: ours)
        isMapped = true
    }

    /// A member that is taken from where it stands in our own form.
    init(own path: JSONPath) {
        field = FieldMapping(ours: path, theirs: path)
        ours = path.description
        spec = OwnForm.spec(at: ours)
        isMapped = false
    }

    /// The member's value; nil when theirs says nothing and there is no default.
    func value(in item: JSONValue, _ kind: ProductKind?) throws(ItemProblem) -> JSONValue? {
        let isOurs = spec.belongs(to: kind)
        let type = isOurs ? spec.type : .other
        for path in field.theirs.paths {
            if let value = try value(at: path, in: item, type) { return value }
        }
        return isOurs ? field.fallback : nil
    }

    private func value(
        at path: JSONPath, in item: JSONValue, _ type: MemberType
    ) throws(ItemProblem) -> JSONValue? {
        guard let found = item[path], !found.isNull else { return nil }
        do {
            return try type.coerced(found, scale: scale(found, item))
        } catch {
            let place = error.element.map { "\(ours)[\($0)]" } ?? ours
            throw ItemProblem(ours: place, theirs: isMapped ? path.description : nil, problem: error.problem)
        }
    }

    private func scale(_ found: JSONValue, _ item: JSONValue) throws(ValueProblem) -> Int? {
        switch field.scale {
        case nil: return nil
        case .fixed(let scale): return scale
        case .path(let path):
            // An amount that is not there needs no scale, which then is often not there either.
            if case .string("") = found { return nil }
            guard let scale = item[path]?.number?.integer, FieldScale.range.contains(scale) else {
                throw ValueProblem(
                    expected: "a scale from 0 to \(FieldScale.range.upperBound) at \(path)", found: item[path])
            }
            return scale
        }
    }
}

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
