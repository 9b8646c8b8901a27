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
