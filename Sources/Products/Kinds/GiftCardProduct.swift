public import FoundationEssentials
import JSON

/// Money to be spent later.
public struct GiftCardProduct: Product, Hashable {
    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// The amounts it can be had with, in the currency of its price and in the source's order.
    public var denominations: [Decimal] {
        get { exactDenominations.map(\.value) }
        set { exactDenominations = newValue.map { ExactDecimal($0) } }
    }
    private var exactDenominations: [ExactDecimal]

    /// A gift card that can be had with each of these amounts.
    public init(details: ProductDetails, denominations: [Decimal]) {
        self.details = details
        exactDenominations = denominations.map { ExactDecimal($0) }
    }

    /// `giftCard`.
    public var typeName: String { ProductKind.giftCard.rawValue }
    /// The product, as one of all kinds.
    public var variant: ProductVariant { .giftCard(self) }

    private static let known = ProductMember.common.union([ProductMember.denominations])

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        exactDenominations = try reader.decimals(ProductMember.denominations)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        let path = MemberPath(encoder)
        var members = try details.members(of: typeName, at: path)
        members[ProductMember.denominations] = .array(
            try exactDenominations.enumerated().map { try $1.json(at: path[ProductMember.denominations][$0]) })
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}
