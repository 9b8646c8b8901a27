import JSON

/// Something that is paid for again and again.
public struct SubscriptionProduct: Product, Hashable {
    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// How often its price is due, in the source's words, as `month`; never empty.
    public var interval: String
    /// How many days it can be tried before the first payment.
    public var trialDays: Int?

    /// A product that is paid for once in every interval.
    public init(details: ProductDetails, interval: String, trialDays: Int? = nil) {
        self.details = details
        self.interval = interval
        self.trialDays = trialDays
    }

    /// `subscription`.
    public var typeName: String { ProductKind.subscription.rawValue }
    /// The product, as one of all kinds.
    public var variant: ProductVariant { .subscription(self) }

    private static let known = ProductMember.common.union([ProductMember.interval, ProductMember.trialDays])

    /// Reads a product; errors name the member that is missing or of a wrong type.
    public init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        interval = try reader.text(ProductMember.interval)
        trialDays = try reader.integerIfPresent(ProductMember.trialDays)
    }

    /// Writes the product in its canonical form.
    public func encode(to encoder: any Encoder) throws {
        var members = try details.members(of: typeName, at: MemberPath(encoder))
        members[ProductMember.interval] = .string(interval)
        members[ProductMember.trialDays] = trialDays.map { .number(JSONNumber($0)) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}
