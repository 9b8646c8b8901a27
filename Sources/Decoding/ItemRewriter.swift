internal import JSON
internal import Products

/// Rewrites an upstream's items into our own form. The mapping is prepared once for many items.
struct ItemRewriter: Sendable {
    /// The treatment of an upstream's member that is not an attribute in products of every kind.
    private enum Role {
        /// It is mapped, or a mapped member has its name.
        case taken
        /// It has the name of one of our members.
        case own(MemberSpec)
        /// It has the name of one of our members that is an object.
        case container(GroupSource, MemberSpec)
    }

    private let form: OwnForm
    private let type: TypeRule?
    private let members: [(name: String, source: MemberSource)]
    private let roles: [String: Role]
    private let attributes: AttributePolicy

    init(_ mapping: CatalogueMapping, _ form: OwnForm = .product) {
        self.form = form
        type = mapping.type
        members = MappingTree(mapping, form).members
        roles = Self.roles(mapping, form, ours: members.map(\.name))
        attributes = mapping.attributes
    }

    /// Returns the item in our own form.
    /// - Parameter currency: the currency of prices that state none.
    func rewritten(
        _ theirs: JSONObject, at time: DecodingTime, in currency: JSONValue? = nil
    ) throws(ItemProblem) -> JSONObject {
        let item = JSONValue.object(theirs)
        var ours = JSONObject(minimumCapacity: theirs.count + members.count + 1)
        var context = ItemContext(time: time, currency: currency)
        if let type {
            let name = try type.kind(of: item)
            ours[OwnForm.type] = .string(name)
            context.kind = ProductKind(rawValue: name)
        } else if form.isProduct {
            context.kind = theirs[OwnForm.type]?.string.flatMap(ProductKind.init(rawValue:))
        }
        var left: Set<String> = []
        for member in members {
            if let value = try member.source.value(in: item, context) {
                ours[member.name] = value
            } else if case .group(let group) = member.source {
                left.formUnion(group.parts)
            }
        }
        var unconverted = JSONObject()
        for member in theirs.members {
            do throws(ItemProblem) {
                if left.contains(member.key), ours[member.key] == nil {
                    ours[member.key] = try part(member, context)
                } else if let value = try remaining(member, of: item, context) {
                    ours[member.key] = value
                }
            } catch {
                guard isOptional(member.key), theirs[UnconvertedMembers.name] == nil else { throw error }
                unconverted[member.key] = member.value
            }
        }
        if !unconverted.isEmpty { ours[UnconvertedMembers.name] = .object(unconverted) }
        return ours
    }

    private func isOptional(_ name: String) -> Bool {
        switch roles[name] {
        case .own(let spec): !spec.isRequired
        case .container: form.isProduct && !form.requiredContainers.contains(name)
        case .taken: form.members[name].map { !$0.isRequired } ?? !form.requiredContainers.contains(name)
        case nil: false
        }
    }

    /// Returns the copier for products of a kind, or for variants; nil if the mapping has rules that need values.
    func copy(of kind: ProductKind?) -> ItemCopy? {
        // Attributes of products within a bundle are restricted by themselves.
        guard kind != .bundle || attributes == .keep else { return nil }
        var copied: [ItemCopy.Member] = []
        var parts: Set<String> = []
        if let kind {
            copied.append(ItemCopy.Member(OwnForm.type, .constant(JSONValue.string(kind.rawValue).encoded())))
        }
        for member in members {
            guard let source = member.source.copied(kind) else { return nil }
            if case .group(let group) = member.source {
                parts.formUnion(group.parts)
            } else if kind == nil, form.containers[member.name] != nil {
                // Only a product's price of another form is read again.
                return nil
            }
            copied.append(ItemCopy.Member(member.name, source))
        }
        var names: [String: ItemCopy.Role] = [:]
        if case .only(let kept) = attributes { for name in kept { names[name] = .attribute } }
        for (name, role) in roles {
            let attribute: ItemCopy.Role = attributes.keeps(name) ? .attribute : .omitted
            switch role {
            case .taken: names[name] = parts.contains(name) ? .part : .omitted
            case .own(let spec):
                guard spec.belongs(to: kind) else {
                    names[name] = attribute
                    continue
                }
                let value = CopiedValue(spec.type, scale: nil, isChecked: form.isProduct)
                names[name] = value.map { .own($0) } ?? .other
            case .container(var group, let spec):
                group.rest = nil
                let own = group.copied(kind).map {
                    ItemCopy.Role.container(ItemCopy.Member(name, $0), keepsOthers: attributes.keeps(name))
                }
                names[name] = spec.belongs(to: kind) ? own ?? .other : attribute
            }
        }
        // A name that holds members in another form is the rewriter's.
        names[UnconvertedMembers.name] = .other
        return ItemCopy(members: copied, roles: names, usual: attributes == .keep ? .attribute : .omitted)
    }

    /// Whether the config names a member of our form.
    func isChosen(_ name: String) -> Bool {
        if case .only(let names) = attributes, names.contains(name) { return true }
        return members.contains { $0.name == name }
    }

    /// Returns the value of an unmapped member under its own name; nil if our form does not have it.
    private func remaining(
        _ member: JSONMember, of item: JSONValue, _ context: ItemContext
    ) throws(ItemProblem) -> JSONValue? {
        switch roles[member.key] {
        case nil: return attribute(member)
        case .taken: return nil
        case .own(let spec):
            guard spec.belongs(to: context.kind) else { return attribute(member) }
            do {
                return try spec.type.coerced(member.value)
            } catch {
                let place = error.element.map { "\(member.key)[\($0)]" } ?? member.key
                throw ItemProblem(ours: place, problem: error.problem)
            }
        case .container(let group, let spec):
            guard spec.belongs(to: context.kind) else { return attribute(member) }
            // The decoder reports a required value that is no object.
            if member.value.isNull || form.requiredContainers.contains(member.key), member.value.object == nil {
                return member.value
            }
            guard member.value.object != nil else {
                let problem = ValueProblem(expected: "an object", found: member.value).problem
                throw ItemProblem(ours: member.key, problem: problem)
            }
            if let value = try group.value(in: item, context) { return value }
            return try part(member, context)
        }
    }

    /// Returns a member that an object would have been made of, as an attribute.
    private func part(_ member: JSONMember, _ context: ItemContext) throws(ItemProblem) -> JSONValue? {
        if member.value.isBlank || member.value.object?.members.allSatisfy(\.value.isBlank) == true { return nil }
        let inner = form.containers[member.key]?.first
        let spec = inner.map { form.spec(at: "\(member.key).\($0)") } ?? form.members[member.key]
        guard let spec, spec.belongs(to: context.kind) else { return attribute(member) }
        throw ItemProblem(ours: member.key, problem: "expected all of \(form.memberList(of: member.key))")
    }

    private func attribute(_ member: JSONMember) -> JSONValue? {
        attributes.keeps(member.key) ? member.value : nil
    }

    private static func roles(_ mapping: CatalogueMapping, _ form: OwnForm, ours: [String]) -> [String: Role] {
        var roles: [String: Role] = [:]
        for (path, spec) in form.members where !path.contains(".") { roles[path] = .own(spec) }
        if form.isProduct { roles[OwnForm.type] = mapping.type == nil ? .own(MemberSpec(.other)) : .taken }
        for (name, members) in form.containers {
            let spec = form.spec(at: "\(name).\(members.first ?? "")")
            roles[name] = .container(MappingTree.own(name, form, mapping.attributes), spec)
        }
        let theirs = mapping.fields.flatMap(\.theirs.paths).compactMap(\.member)
        // What every product needs is still read from its own place if another member is mapped from there too.
        let needed: Set = ["id", "name", "price", "sales"]
        for name in ours + theirs.filter({ !needed.contains($0) }) { roles[name] = .taken }
        return roles
    }
}
