public import FoundationEssentials
public import JSON

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
    public static var kind: ProductKind { .physical }
    /// What tells this product from all others of a catalogue.
    public var id: String { details.id }
    /// What people call it.
    public var name: String { details.name }
    /// What one costs.
    public var price: Price { details.price }
    /// How many have been sold.
    public var sales: Int { details.sales }
    /// A text about it.
    public var description: String? { details.description }
    /// Where a picture of it is.
    public var imageURL: String? { details.imageURL }
    /// What it is listed under.
    public var category: String? { details.category }
    /// The members that no kind names.
    public var attributes: JSONObject { details.attributes }

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
        var members = try details.members(of: Self.kind)
        members[ProductMember.weight] = try exactWeight?.json(at: [.name(ProductMember.weight)])
        members[ProductMember.dimensions] =
            try dimensions.map { .object(try $0.members(at: [.name(ProductMember.dimensions)])) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}
