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
        for member in members {
            if let value = try member.source.value(in: item, context) { ours[member.name] = value }
        }
        var unconverted = JSONObject()
        for member in theirs.members {
            do throws(ItemProblem) {
                if let value = try remaining(member, of: item, context) { ours[member.key] = value }
            } catch {
                guard isOptional(member.key), theirs[Self.unconverted] == nil else { throw error }
                unconverted[member.key] = member.value
            }
        }
        if !unconverted.isEmpty { ours[Self.unconverted] = .object(unconverted) }
        return ours
    }

    /// The attribute with the optional members that are not mapped and have another form than ours.
    static let unconverted = "unconverted"

    private func isOptional(_ name: String) -> Bool {
        switch roles[name] {
        case .own(let spec): !spec.isRequired
        case .container: form.isProduct && !form.requiredContainers.contains(name)
        case .taken, nil: false
        }
    }

    /// Returns what copies products of a kind, or variants; nil if the mapping has rules that need values.
    func copy(of kind: ProductKind?) -> ItemCopy? {
        // Attributes of products within a bundle are restricted by themselves.
        guard kind != .bundle || attributes == .keep else { return nil }
        var copied: [ItemCopy.Member] = []
        if let kind {
            copied.append(ItemCopy.Member(OwnForm.type, .constant(JSONValue.string(kind.rawValue).encoded())))
        }
        for member in members {
            guard let source = member.source.copied(kind) else { return nil }
            // Only a product's price of another form is read again.
            if case .group = member.source {} else if kind == nil, form.containers[member.name] != nil { return nil }
            copied.append(ItemCopy.Member(member.name, source))
        }
        var names: [String: ItemCopy.Role] = [:]
        if case .only(let kept) = attributes { for name in kept { names[name] = .attribute } }
        for (name, role) in roles {
            let attribute: ItemCopy.Role = attributes.keeps(name) ? .attribute : .omitted
            switch role {
            case .taken: names[name] = .omitted
            case .own(let spec):
                guard spec.belongs(to: kind) else {
                    names[name] = attribute
                    continue
                }
                let value = CopiedValue(spec.type, scale: nil, isChecked: form.isProduct)
                names[name] = value.map { .own($0) } ?? .other
            case .container(let group, let spec):
                let own = group.copied(kind).map { ItemCopy.Role.container(ItemCopy.Member(name, $0)) }
                names[name] = spec.belongs(to: kind) ? own ?? .other : attribute
            }
        }
        // A name that holds members in another form is the rewriter's.
        names[Self.unconverted] = .other
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
            return try group.value(in: item, context)
        }
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
            roles[name] = .container(MappingTree.own(name, form), spec)
        }
        let theirs = mapping.fields.flatMap(\.theirs.paths).compactMap(\.member)
        // What every product needs is still read from its own place if another member is mapped from there too.
        let needed: Set = ["id", "name", "price", "sales"]
        for name in ours + theirs.filter({ !needed.contains($0) }) { roles[name] = .taken }
        return roles
    }
}

/// The members of a mapping by their place in our form, so that paths are not resolved for each item.
struct MappingTree {
    private typealias Leaf = (path: ArraySlice<String>, source: MemberSource)

    /// Our members at the top, in the mapping's order.
    let members: [(name: String, source: MemberSource)]

    init(_ mapping: CatalogueMapping, _ form: OwnForm) {
        let constants = mapping.constants.map { Leaf($0.ours.components[...], .constant($0.value)) }
        let currency = Self.currency(mapping, constants, form)
        let fields = mapping.fields.map { field in
            Leaf(field.ours.components[...], .field(FieldSource(field, form, currency: currency)))
        }
        let variants = mapping.variants.map { variants in
            Leaf([SoldVariants.name], .variants(VariantsSource(variants, currency: currency)))
        }
        members = Self.members(fields + constants + [variants].compactMap(\.self), under: [], mapping.attributes, form)
    }

    /// Returns the source of the currency that amounts are scaled by.
    private static func currency(_ mapping: CatalogueMapping, _ constants: [Leaf], _ form: OwnForm) -> MemberSource? {
        guard let path = JSONPath(OwnForm.currency) else { return nil }
        if let constant = constants.first(where: { $0.path == path.components[...] }) { return constant.source }
        let field = mapping.fields.first { $0.ours == path }
        return .field(FieldSource(field ?? FieldMapping(ours: path, theirs: PathAlternatives(ItemPath(path))), form))
    }

    /// Returns the container of our own form with this name, with its members at their own places.
    static func own(_ name: String, _ form: OwnForm) -> GroupSource {
        completed(GroupSource(members: []), name, rest: nil, form)
    }

    private static func members(
        _ leaves: [Leaf], under parent: [String], _ attributes: AttributePolicy, _ form: OwnForm
    ) -> [(name: String, source: MemberSource)] {
        var names: [String] = []
        for case let name? in leaves.map(\.path.first) where !names.contains(name) { names.append(name) }
        return names.map { name in
            let inner = leaves.filter { $0.path.first == name }
            if let leaf = inner.last(where: { $0.path.count == 1 }) { return (name, leaf.source) }
            let path = parent + [name]
            let group = GroupSource(
                members: members(inner.map { ($0.path.dropFirst(), $0.source) }, under: path, attributes, form))
            let text = path.joined(separator: ".")
            let rest = path.first.map(attributes.keeps) ?? false ? JSONPath(text) : nil
            return (name, .group(completed(group, text, rest: rest, form)))
        }
    }

    /// Completes a group: a container of ours gets its unmapped members from their own places, an attribute gets the
    /// other members of the upstream's object, if they are kept.
    private static func completed(
        _ group: GroupSource, _ path: String, rest: JSONPath?, _ form: OwnForm
    ) -> GroupSource {
        var group = group
        guard let own = form.containers[path] else {
            group.rest = rest
            return group
        }
        group.condition = form.requiredContainers.contains(path) ? .nothing : .everything
        for name in own where !group.members.contains(where: { $0.name == name }) {
            guard let path = JSONPath("\(path).\(name)") else { continue }
            let source = FieldSource(
                FieldMapping(ours: path, theirs: PathAlternatives(ItemPath(path))), form, isMapped: false)
            group.members.append((name, .field(source)))
        }
        return group
    }
}
