package import JSON
internal import Products
internal import Text

/// The members of Larder's own form, for mappings: those of a product, or of a variant within one.
package struct OwnForm: Sendable {
    package static let product = OwnForm(
        ProductDetails.members.filter { $0.name != computed }.map { ($0, nil) }
            + ProductKind.allCases.flatMap { kind in kind.members.map { ($0, kind) } }, isProduct: true)
    package static let variant = OwnForm(SoldVariants.members.map { ($0, nil) }, isProduct: false)

    /// The member that names the kind.
    static let type = "type"
    static let amount = "price.amount"
    /// The currency of the price.
    static let currency = "price.currency"
    /// The computed member, which is never read.
    private static let computed = "isPopular"

    /// Whether it is the form of products, which name their kind.
    let isProduct: Bool
    /// The members that are objects, and the members of those.
    package let containers: [String: [String]]
    /// The containers required in every product.
    let requiredContainers: Set<String>
    /// The other members, by their paths.
    let members: [String: MemberSpec]

    /// Traps if two kinds have a member of the same name, which would be ambiguous in a mapping.
    /// - Parameter described: the members that can be mapped, as the domain describes them; those of one kind with the kind.
    private init(_ described: [(member: MemberDescription, kind: ProductKind?)], isProduct: Bool) {
        self.isProduct = isProduct
        containers = Dictionary(
            uniqueKeysWithValues: described.compactMap { member, _ in
                member.inner.map { (member.name, $0.map(\.name)) }
            })
        requiredContainers = Set(
            described.filter { $0.kind == nil && $0.member.isAlwaysThere && $0.member.inner != nil }.map(\.member.name))
        var members = Dictionary(
            uniqueKeysWithValues: described.flatMap { member, kind -> [(String, MemberSpec)] in
                guard let inner = member.inner else {
                    return [(member.name, MemberSpec(member.form.type, of: kind, isRequired: member.isRequired))]
                }
                return inner.map { ("\(member.name).\($0.name)", MemberSpec($0.form.type, of: kind)) }
            })
        members["id"] = MemberSpec(.identifier, isRequired: true)
        members[Self.currency] = MemberSpec(.currency)
        self.members = members
    }

    /// Returns the member at a path; an attribute can hold anything.
    package func spec(at path: String) -> MemberSpec {
        if let spec = members[path] { return spec }
        // A text in another language is of its member's type.
        let parts = path.split(separator: ".")
        let isLocalized = parts.count == 3 && parts[0] == LocalizedTexts.name
        return isLocalized ? MemberSpec(members[String(parts[1])]?.type ?? .other) : MemberSpec(.other)
    }

    /// Whether it is the name of one of our members, of whatever kind.
    package func isMember(_ name: String) -> Bool {
        isProduct && name == Self.type || members[name] != nil || containers[name] != nil
    }

    /// Returns the member that differs from a text by case alone.
    package func member(written text: String) -> String? {
        members[text] == nil ? members.keys.first { $0.lowercased() == text.lowercased() } : nil
    }

    /// Returns the reason why a path cannot be mapped; nil if it can.
    ///
    /// - Parameter written: the path as written in the file, for messages.
    package func problem(with path: JSONPath, written: String) -> String? {
        let name = path.components.first ?? ""
        if isProduct, name == Self.type {
            return "\"\(Self.type)\" is not mapped here but by the \"type\" of \"decode\""
        }
        if isProduct, name == Self.computed {
            return "\"\(Self.computed)\" is worked out by Larder and cannot be mapped"
        }
        if name == LocalizedTexts.name {
            let parts = path.components
            return parts.count == 3 && LocalizedTexts.isText(parts[1]) && LanguageRanges.isTag(parts[2])
                ? nil : "\"\(name)\" has texts for people by member and language, like \(name).description.de"
        }
        guard path.components.count > 1, members[path.description] == nil else { return nil }
        if containers[name] != nil { return "\"\(name)\" has no member \"\(written)\"; it has \(memberList(of: name))" }
        return members[name] == nil ? nil : "\"\(name)\" has no members of its own that could be mapped"
    }

    /// Returns the members of a container: `price.amount and price.currency`.
    package func memberList(of container: String) -> String {
        WordList.enumeration((containers[container] ?? []).map { "\(container).\($0)" })
    }
}

/// A member of our own form: its type, and the kind of product that has it.
package struct MemberSpec: Sendable {
    package let type: MemberType
    /// The kind that has the member; nil if all have it.
    let kind: ProductKind?
    /// Whether a product without it is bad.
    let isRequired: Bool

    init(_ type: MemberType, of kind: ProductKind? = nil, isRequired: Bool = false) {
        self.type = type
        self.kind = kind
        self.isRequired = isRequired
    }

    /// Whether products of this kind have the member; in others, its name is an attribute's.
    func belongs(to other: ProductKind?) -> Bool {
        kind == nil || kind == other
    }
}

extension MemberDescription {
    /// The members of an object; nil for a member of another form.
    fileprivate var inner: [MemberDescription]? {
        if case .object(let members) = form { members } else { nil }
    }

    /// Whether a product without it is bad. A count is zero where it is missing.
    fileprivate var isRequired: Bool { isAlwaysThere && form != .integer }
}

extension MemberDescription.Form {
    fileprivate var type: MemberType {
        switch self {
        case .text, .filledText: .text
        case .integer: .integer
        case .decimal: .decimal
        case .list(.decimal): .decimals
        case .categories: .categories
        case .flag, .object, .list, .product: .other
        }
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

    /// Returns the container of our own form with this name, with its members at their own places, and all others if they are kept.
    static func own(_ name: String, _ form: OwnForm, _ attributes: AttributePolicy) -> GroupSource {
        var group = completed(GroupSource(members: []), name, rest: nil, form)
        if attributes.keeps(name) { group.rest = JSONPath(name) }
        return group
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
        let usual: GroupSource.Condition = form.isProduct ? .everything : .amount
        group.condition = form.requiredContainers.contains(path) ? .nothing : usual
        for name in own where !group.members.contains(where: { $0.name == name }) {
            guard let path = JSONPath("\(path).\(name)") else { continue }
            let source = FieldSource(
                FieldMapping(ours: path, theirs: PathAlternatives(ItemPath(path))), form, isMapped: false)
            group.members.append((name, .field(source)))
        }
        return group
    }
}

/// The places of our members in an upstream's items, for errors about rewritten items: the native decoder reports our
/// members, but the operator sees the upstream's.
struct ItemPlaces: Sendable {
    private let theirs: [String: PathAlternatives]

    init(_ mapping: CatalogueMapping) {
        var theirs = Dictionary(
            mapping.fields.map { ($0.ours.description, $0.theirs) }, uniquingKeysWith: { $1 })
        if case .path(let paths, _, _) = mapping.type { theirs[OwnForm.type] = paths }
        self.theirs = theirs
    }

    /// Returns the detail of a failure with the upstream's place after ours, and what is there instead of a missing value:
    /// `[7312].name (theirs: titel): missing; there are "id" and "title"; did you mean "title"?`.
    /// - Parameter item: nil to leave out what is there.
    func naming(_ detail: String, at index: Int, in item: JSONValue?) -> String {
        let start = "[\(index)]."
        guard detail.hasPrefix(start), let colon = detail.firstIndex(of: ":") else { return detail }
        let ours = detail[..<colon].dropFirst(start.count)
        guard let place = theirs[String(ours)] else { return detail }
        var problem = String(detail[colon...].dropFirst(2))
        if problem == "missing", let item, let reason = PathMatches.reason(place, in: item) { problem += "; \(reason)" }
        return ItemProblem(ours: String(ours), theirs: place.description, problem: problem).detail(at: index)
    }
}
