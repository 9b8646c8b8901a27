public import FoundationEssentials
import JSON

/// Something that is sent by post.
public struct PhysicalProduct: Product, Hashable {
    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// What it weighs, in the source's unit.
    public var weight: Decimal? {
        get { exactWeight?.value }
        set { exactWeight = newValue.map { ExactDecimal($0) } }
    }
    /// How big it is.
    public var dimensions: Dimensions?
    private var exactWeight: ExactDecimal?

    /// A product that is sent by post.
    public init(details: ProductDetails, weight: Decimal? = nil, dimensions: Dimensions? = nil) {
        self.details = details
        exactWeight = weight.map { ExactDecimal($0) }
        self.dimensions = dimensions
    }

    /// `physical`.
    public var typeName: String { ProductKind.physical.rawValue }
    /// The product, as one of all kinds.
    public var variant: ProductVariant { .physical(self) }

    private static let known = ProductMember.common.union([ProductMember.weight, ProductMember.dimensions])

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        exactWeight = try reader.decimalIfPresent(ProductMember.weight)
        dimensions = try reader.objectIfPresent(ProductMember.dimensions).map(Dimensions.init)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        let path = MemberPath(encoder)
        var members = try details.members(of: typeName, at: path)
        members[ProductMember.weight] = try exactWeight?.json(at: path[ProductMember.weight])
        members[ProductMember.dimensions] =
            try dimensions.map { .object(try $0.members(at: path[ProductMember.dimensions])) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}
