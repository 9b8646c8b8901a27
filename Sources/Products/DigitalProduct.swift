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

    private static let known = ProductMember.common.union([ProductMember.downloadURL, ProductMember.size])

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        downloadURL = try reader.stringIfPresent(ProductMember.downloadURL)
        size = try reader.integerIfPresent(ProductMember.size)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        var members = try details.members(of: Self.kind)
        members[ProductMember.downloadURL] = downloadURL.map(JSONValue.string)
        members[ProductMember.size] = size.map { .number(JSONNumber($0)) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}
