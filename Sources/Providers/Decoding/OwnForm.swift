package import JSON
internal import Products
internal import Text

/// The members of Larder's own form, for mappings.
package enum OwnForm {
    /// The member that tells the kind.
    static let type = "type"
    /// The computed member, which is never read.
    static let computed = "isPopular"

    /// The members that are objects, and the members of those.
    package static let containers: [String: [String]] = [
        "price": ["amount", "currency"], "dimensions": ["width", "height", "depth"],
    ]

    /// The containers required in every product.
    static let requiredContainers: Set = ["price"]

    /// The other members, by their paths.
    static let members: [String: MemberSpec] = [
        "id": MemberSpec(.identifier), "name": MemberSpec(.text), "price.amount": MemberSpec(.decimal),
        "price.currency": MemberSpec(.text), "sales": MemberSpec(.integer), "description": MemberSpec(.text),
        "imageURL": MemberSpec(.text), "category": MemberSpec(.text), "weight": MemberSpec(.decimal, of: .physical),
        "dimensions.width": MemberSpec(.decimal, of: .physical),
        "dimensions.height": MemberSpec(.decimal, of: .physical),
        "dimensions.depth": MemberSpec(.decimal, of: .physical), "downloadURL": MemberSpec(.text, of: .digital),
        "size": MemberSpec(.integer, of: .digital), "interval": MemberSpec(.text, of: .subscription),
        "trialDays": MemberSpec(.integer, of: .subscription), "products": MemberSpec(.other, of: .bundle),
        "addOn": MemberSpec(.other, of: .bundle), "denominations": MemberSpec(.decimals, of: .giftCard),
    ]

    /// Returns the member at a path; an attribute can hold anything.
    package static func spec(at path: String) -> MemberSpec {
        members[path] ?? MemberSpec(.other)
    }

    /// Returns why nothing can be mapped to a path; nil if it can be mapped.
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
