internal import Products

/// Our own form, as far as a mapping has to know it.
enum OwnForm {
    /// The member that tells the kind.
    static let type = "type"
    /// The member that is worked out and never read.
    static let computed = "isPopular"

    /// The members that are objects, and the members of those.
    static let containers: [String: [String]] = [
        "price": ["amount", "currency"], "dimensions": ["width", "height", "depth"],
    ]

    /// The containers that a product must have.
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

    /// What stands at a path; the name of an attribute can hold anything.
    static func spec(at path: String) -> MemberSpec {
        members[path] ?? MemberSpec(.other)
    }
}
