import JSON

/// A product of a kind that is not known here, kept because the source's owner wants it passed on.
///
/// What all products have is read and checked as ever; all else is an attribute, written back unchanged.
public struct KeptProduct: Product, Hashable {
    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// The kind it says it is of. Not one of ``ProductKind``, as whoever reads the product back would take it for that.
    public let typeName: String

    /// A product of an unknown kind.
    public init(details: ProductDetails, typeName: String) {
        self.details = details
        self.typeName = typeName
    }

    /// The product, as one of all kinds.
    public var variant: ProductVariant { .kept(self) }

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        typeName = try reader.string(ProductMember.type)
        details = try ProductDetails(reader, known: ProductMember.common)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        var members = try details.members(of: typeName, at: MemberPath(encoder))
        details.addAttributes(to: &members, known: ProductMember.common)
        try members.encode(to: encoder)
    }
}
