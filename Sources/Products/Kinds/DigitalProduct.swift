import JSON

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
    public var typeName: String { ProductKind.digital.rawValue }
    /// The product, as one of all kinds.
    public var variant: ProductVariant { .digital(self) }

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
        var members = try details.members(of: typeName, at: MemberPath(encoder))
        members[ProductMember.downloadURL] = downloadURL.map(JSONValue.string)
        members[ProductMember.size] = size.map { .number(JSONNumber($0)) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}
