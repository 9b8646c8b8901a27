public import JSON

/// Something that is downloaded.
public struct DigitalProduct: Product, Hashable {
    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// Where it is downloaded from.
    public var downloadURL: String?
    /// How long the download is, in bytes.
    public var size: Int?

    /// A product that is downloaded.
    public init(details: ProductDetails, downloadURL: String? = nil, size: Int? = nil) {
        self.details = details
        self.downloadURL = downloadURL
        self.size = size
    }

    /// `digital`.
    public static var kind: ProductKind { .digital }
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

    private static let members: [ProductMember] = [.downloadURL, .size]

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ProductMember.self)
        details = try ProductDetails(from: container, kindMembers: Self.members)
        downloadURL = try container.decodeIfPresent(String.self, forKey: .downloadURL)
        size = try container.decodeIfPresent(Int.self, forKey: .size)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ProductMember.self)
        try details.encodeMembers(of: Self.kind, to: &container)
        try container.encodeIfPresent(downloadURL, forKey: .downloadURL)
        try container.encodeIfPresent(size, forKey: .size)
        try details.encodeAttributes(to: &container, kindMembers: Self.members)
    }
}
