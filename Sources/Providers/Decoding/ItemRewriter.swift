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
