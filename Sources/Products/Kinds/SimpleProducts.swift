package import FoundationEssentials
internal import JSON

package struct DigitalProduct: KnownProduct, Hashable {
    package var details: ProductDetails
    package var downloadURL: String?
    package var size: Int?

    package init(details: ProductDetails, downloadURL: String? = nil, size: Int? = nil) {
        self.details = details
        self.downloadURL = downloadURL
        self.size = size
    }

    package var typeName: String { ProductKind.digital.rawValue }
    package var variant: ProductVariant { .digital(self) }
    package var contents: ProductContents? { nil }

    package func mapContents(_ change: (any Product) -> any Product) -> DigitalProduct { self }

    package static let meaning = "something that is downloaded"
    package static let members: [MemberDescription] = [
        .sometimes(ProductMember.downloadURL, .text, "where it is downloaded from"),
        .sometimes(ProductMember.size, .integer, "the length of the download, in bytes"),
    ]
    private static let known = ProductMember.common.union(members.map(\.name))

    package init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        downloadURL = try reader.stringIfPresent(ProductMember.downloadURL)
        size = try reader.integerIfPresent(ProductMember.size)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = try details.members(of: typeName, at: MemberPath(encoder))
        members[ProductMember.downloadURL] = downloadURL.map(JSONValue.string)
        members[ProductMember.size] = size.map { .number(JSONNumber($0)) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}

package struct SubscriptionProduct: KnownProduct, Hashable {
    package var details: ProductDetails
    /// The interval of payments in the source's words, such as `month`; never empty.
    package var interval: String
    /// The free days before the first payment.
    package var trialDays: Int?

    package init(details: ProductDetails, interval: String, trialDays: Int? = nil) {
        self.details = details
        self.interval = interval
        self.trialDays = trialDays
    }

    package var typeName: String { ProductKind.subscription.rawValue }
    package var variant: ProductVariant { .subscription(self) }
    package var contents: ProductContents? { nil }

    package func mapContents(_ change: (any Product) -> any Product) -> SubscriptionProduct { self }

    package static let meaning = "something that is paid for regularly"
    package static let members: [MemberDescription] = [
        .always(ProductMember.interval, .filledText, "the interval of payments, in the source's words"),
        .sometimes(ProductMember.trialDays, .integer, "the free days before the first payment"),
    ]
    private static let known = ProductMember.common.union(members.map(\.name))

    package init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        interval = try reader.text(ProductMember.interval)
        trialDays = try reader.integerIfPresent(ProductMember.trialDays)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = try details.members(of: typeName, at: MemberPath(encoder))
        members[ProductMember.interval] = .string(interval)
        members[ProductMember.trialDays] = trialDays.map { .number(JSONNumber($0)) }
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}

package struct GiftCardProduct: KnownProduct, Hashable {
    package var details: ProductDetails
    /// The amounts to choose from, in the currency of the price and in the source's order.
    package var denominations: [Decimal] { exactDenominations.map(\.value) }
    private let exactDenominations: [ExactDecimal]

    package init(details: ProductDetails, denominations: [Decimal]) {
        self.details = details
        exactDenominations = denominations.map { ExactDecimal($0) }
    }

    package var typeName: String { ProductKind.giftCard.rawValue }
    package var variant: ProductVariant { .giftCard(self) }
    package var contents: ProductContents? { nil }

    package func mapContents(_ change: (any Product) -> any Product) -> GiftCardProduct { self }

    package static let meaning = "money to be spent later"
    package static let members: [MemberDescription] = [
        .always(
            ProductMember.denominations, .list(.decimal),
            "the amounts to choose from, in the currency of its price")
    ]
    private static let known = ProductMember.common.union(members.map(\.name))

    package init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        exactDenominations = try reader.decimals(ProductMember.denominations)
    }

    package func encode(to encoder: any Encoder) throws {
        let path = MemberPath(encoder)
        var members = try details.members(of: typeName, at: path)
        members[ProductMember.denominations] = .array(
            try exactDenominations.enumerated().map { try $1.json(at: path[ProductMember.denominations][$0]) })
        details.addAttributes(to: &members, known: Self.known)
        try members.encode(to: encoder)
    }
}

/// A product of an unknown kind, kept because the config passes such products on.
///
/// The common members are decoded and checked; all others are attributes, written back unchanged.
package struct KeptProduct: Product, Hashable {
    package var details: ProductDetails
    /// The stated kind. It must not be one of ``ProductKind``, which decoding would choose.
    package let typeName: String

    package init(details: ProductDetails, typeName: String) {
        self.details = details
        self.typeName = typeName
    }

    package var variant: ProductVariant { .kept(self) }
    package var contents: ProductContents? { nil }

    package func mapContents(_ change: (any Product) -> any Product) -> KeptProduct { self }

    package init(from decoder: any Decoder) throws {
        let reader = try MemberReader(decoder)
        typeName = try reader.string(ProductMember.type)
        details = try ProductDetails(reader, known: ProductMember.common)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = try details.members(of: typeName, at: MemberPath(encoder))
        details.addAttributes(to: &members, known: ProductMember.common)
        try members.encode(to: encoder)
    }
}
