package import JSON
internal import Products
internal import Text

/// The members of Larder's own form, for mappings.
package enum OwnForm {
    /// The member that names the kind.
    static let type = "type"
    /// The currency of the price.
    static let currency = "price.currency"
    /// The computed member, which is never read.
    static let computed = "isPopular"

    /// The members that can be mapped, as the domain describes them; those of one kind with the kind.
    private static let described: [(member: MemberDescription, kind: ProductKind?)] =
        ProductDetails.members.filter { $0.name != computed }.map { ($0, nil) }
        + ProductKind.allCases.flatMap { kind in kind.members.map { ($0, kind) } }

    /// The members that are objects, and the members of those.
    package static let containers = Dictionary(
        uniqueKeysWithValues: described.compactMap { described in
            described.member.inner.map { (described.member.name, $0.map(\.name)) }
        })

    /// The containers required in every product.
    static let requiredContainers = Set(
        ProductDetails.members.filter { $0.isAlwaysThere && $0.inner != nil }.map(\.name))

    /// The other members, by their paths. Traps if two kinds have a member of the same name, which would be ambiguous
    /// in a mapping.
    static let members: [String: MemberSpec] = {
        var members = Dictionary(
            uniqueKeysWithValues: described.flatMap { member, kind -> [(String, MemberSpec)] in
                guard let inner = member.inner else { return [(member.name, MemberSpec(member.form.type, of: kind))] }
                return inner.map { ("\(member.name).\($0.name)", MemberSpec($0.form.type, of: kind)) }
            })
        members["id"] = MemberSpec(.identifier)
        members[currency] = MemberSpec(.currency)
        return members
    }()

    /// Returns the member at a path; an attribute can hold anything.
    package static func spec(at path: String) -> MemberSpec {
        members[path] ?? MemberSpec(.other)
    }

    /// Whether it is the name of one of our members, of whatever kind.
    package static func isMember(_ name: String) -> Bool {
        name == type || members[name] != nil || containers[name] != nil
    }

    /// Returns the member that differs from a text by case alone.
    package static func member(written text: String) -> String? {
        members[text] == nil ? members.keys.first { $0.lowercased() == text.lowercased() } : nil
    }

    /// Returns the reason why a path cannot be mapped; nil if it can.
    ///
    /// - Parameter written: the path as written in the file, for messages.
    package static func problem(with path: JSONPath, written: String) -> String? {
        let name = path.components.first ?? ""
        if name == type { return "\"\(type)\" is not mapped here but by the \"type\" of \"decode\"" }
        if name == computed { return "\"\(computed)\" is worked out by Larder and cannot be mapped" }
        guard path.components.count > 1, members[path.description] == nil else { return nil }
        if containers[name] != nil { return "\"\(name)\" has no member \"\(written)\"; it has \(memberList(of: name))" }
        return members[name] == nil ? nil : "\"\(name)\" has no members of its own that could be mapped"
    }

    /// Returns the members of a container: `price.amount and price.currency`.
    package static func memberList(of container: String) -> String {
        WordList.enumeration((containers[container] ?? []).map { "\(container).\($0)" })
    }
}

/// A member of our own form: its type, and the kind of product that has it.
package struct MemberSpec: Sendable {
    package let type: MemberType
    /// The kind that has the member; nil if all have it.
    let kind: ProductKind?

    init(_ type: MemberType, of kind: ProductKind? = nil) {
        self.type = type
        self.kind = kind
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
