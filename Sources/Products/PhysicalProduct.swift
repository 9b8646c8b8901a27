public import FoundationEssentials
public import JSON

/// Something that is sent by post.
public struct PhysicalProduct: Product, Hashable {
    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// What it weighs, in the source's unit.
    public var weight: Decimal?
    /// How big it is.
    public var dimensions: Dimensions?

    /// A product that is sent by post.
    public init(details: ProductDetails, weight: Decimal? = nil, dimensions: Dimensions? = nil) {
        self.details = details
        self.weight = weight
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

    private static let members: [ProductMember] = [.weight, .dimensions]

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ProductMember.self)
        details = try ProductDetails(from: container, kindMembers: Self.members)
        weight = try container.decodeDecimalIfPresent(forKey: .weight)
        dimensions = try container.decodeIfPresent(Dimensions.self, forKey: .dimensions)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ProductMember.self)
        try details.encodeMembers(of: Self.kind, to: &container)
        try container.encodeDecimalIfPresent(weight, forKey: .weight)
        try container.encodeIfPresent(dimensions, forKey: .dimensions)
        try details.encodeAttributes(to: &container, kindMembers: Self.members)
    }
}
