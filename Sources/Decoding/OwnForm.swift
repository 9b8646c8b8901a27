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
