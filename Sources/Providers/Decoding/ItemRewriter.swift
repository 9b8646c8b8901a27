internal import JSON
internal import Products

/// A mapping, made ready for many items: it turns theirs into our own form.
struct ItemRewriter: Sendable {
    /// What becomes of a member of theirs that is no attribute in products of every kind.
    private enum Role {
        /// It has become one of ours already, or one of ours has its name.
        case taken
        /// It bears the name of one of ours.
        case own(MemberSpec)
        /// It bears the name of one of ours that is an object.
        case container(GroupSource, MemberSpec)
    }

    private let type: TypeRule?
    private let members: [(name: String, source: MemberSource)]
    private let roles: [String: Role]
    private let attributes: AttributePolicy

    init(_ mapping: CatalogueMapping) {
        type = mapping.type
        members = MappingTree(mapping).members
        roles = Self.roles(mapping, ours: members.map(\.name))
        attributes = mapping.attributes
    }

    /// The item in our own form.
    func rewritten(_ theirs: JSONObject) throws(ItemProblem) -> JSONObject {
        let item = JSONValue.object(theirs)
        var ours = JSONObject(minimumCapacity: theirs.count + members.count + 1)
        let kind: ProductKind?
        if let type {
            let name = try type.kind(of: item)
            ours[OwnForm.type] = .string(name)
            kind = ProductKind(rawValue: name)
        } else {
            kind = theirs[OwnForm.type]?.string.flatMap(ProductKind.init(rawValue:))
        }
        for member in members {
            if let value = try member.source.value(in: item, kind) { ours[member.name] = value }
        }
        for member in theirs.members {
            if let value = try remaining(member, of: item, kind) { ours[member.key] = value }
        }
        return ours
    }

    /// What a member of theirs is in our form under its own name; nil when it is not in it.
    private func remaining(
        _ member: JSONMember, of item: JSONValue, _ kind: ProductKind?
    ) throws(ItemProblem) -> JSONValue? {
        switch roles[member.key] {
        case nil: return attribute(member)
        case .taken: return nil
        case .own(let spec):
            guard spec.belongs(to: kind) else { return attribute(member) }
            do {
                return try spec.type.coerced(member.value)
            } catch {
                let place = error.element.map { "\(member.key)[\($0)]" } ?? member.key
                throw ItemProblem(ours: place, problem: error.problem)
            }
        case .container(let group, let spec):
            guard spec.belongs(to: kind) else { return attribute(member) }
            // What is no object is left to the decoder, which says so.
            guard case .object = member.value else { return member.value }
            return try group.value(in: item, kind)
        }
    }

    private func attribute(_ member: JSONMember) -> JSONValue? {
        attributes.keeps(member.key) ? member.value : nil
    }

    private static func roles(_ mapping: CatalogueMapping, ours: [String]) -> [String: Role] {
        var roles: [String: Role] = [:]
        for (path, spec) in OwnForm.members where !path.contains(".") { roles[path] = .own(spec) }
        roles[OwnForm.type] = mapping.type == nil ? .own(MemberSpec(.other)) : .taken
        for (name, members) in OwnForm.containers {
            let spec = OwnForm.spec(at: "\(name).\(members.first ?? "")")
            roles[name] = .container(MappingTree.own(name), spec)
        }
        let theirs = mapping.fields.flatMap(\.theirs.paths).filter { $0.components.count == 1 }.flatMap(\.components)
        for name in ours + theirs { roles[name] = .taken }
        return roles
    }
}

/// The members of a mapping by their place in our form, so that no path has to be followed for each item.
struct MappingTree {
    private typealias Leaf = (path: ArraySlice<String>, source: MemberSource)

    /// Our members at the top, in the mapping's order.
    let members: [(name: String, source: MemberSource)]

    init(_ mapping: CatalogueMapping) {
        let fields = mapping.fields.map { Leaf($0.ours.components[...], .field(FieldSource($0))) }
        let constants = mapping.constants.map { Leaf($0.ours.components[...], .constant($0.value)) }
        members = Self.members(fields + constants, under: [], mapping.attributes)
    }

    /// The container of our own form with this name, as far as its members stand where ours would.
    static func own(_ name: String) -> GroupSource {
        completed(GroupSource(members: []), name, rest: nil)
    }

    private static func members(
        _ leaves: [Leaf], under parent: [String], _ attributes: AttributePolicy
    ) -> [(name: String, source: MemberSource)] {
        var names: [String] = []
        for case let name? in leaves.map(\.path.first) where !names.contains(name) { names.append(name) }
        return names.map { name in
            let inner = leaves.filter { $0.path.first == name }
            if let leaf = inner.last(where: { $0.path.count == 1 }) { return (name, leaf.source) }
            let path = parent + [name]
            let group = GroupSource(
                members: members(inner.map { ($0.path.dropFirst(), $0.source) }, under: path, attributes))
            let text = path.joined(separator: ".")
            let rest = path.first.map(attributes.keeps) ?? false ? JSONPath(text) : nil
            return (name, .group(completed(group, text, rest: rest)))
        }
    }

    /// A container of ours gets the members that were not mapped from where they stand in our form, an attribute
    /// whatever else theirs has, if that is kept.
    private static func completed(_ group: GroupSource, _ path: String, rest: JSONPath?) -> GroupSource {
        var group = group
        guard let own = OwnForm.containers[path] else {
            group.rest = rest
            return group
        }
        group.condition = OwnForm.requiredContainers.contains(path) ? .nothing : .everything
        for name in own where !group.members.contains(where: { $0.name == name }) {
            if let path = JSONPath("\(path).\(name)") { group.members.append((name, .field(FieldSource(own: path)))) }
        }
        return group
    }
}

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
