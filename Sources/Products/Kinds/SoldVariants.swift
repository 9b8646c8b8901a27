internal import FoundationEssentials
internal import JSON

/// The variants in which a product is sold, such as its sizes, in the attribute `variants`.
///
/// Each is an object with any of ``members``. A product without a price of its own costs as much as its cheapest variant, and the
/// attribute `priceRange` holds the range of their prices. Attributes of these names in another form stay as they are.
package enum SoldVariants {
    /// The name of the attribute.
    package static let name = "variants"
    /// The name of the attribute with the least and the greatest price.
    package static let range = "priceRange"

    /// The members of a variant, for mappings and API documentation.
    package static let members: [MemberDescription] = [
        .sometimes(ProductMember.id, .filledText, "its id"),
        .sometimes("sku", .text, "its stock keeping unit"),
        .sometimes(ProductMember.name, .text, "its name"),
        .sometimes(ProductMember.price, .object(Price.memberDescriptions), "its price"),
        .sometimes("stock", .integer, "the number in stock"),
        .sometimes("image", .text, "the URL of a picture"),
    ]

    /// The members of a range of prices.
    package static let rangeMembers: [MemberDescription] = [
        .always("min", .decimal, "the least price of a variant"),
        .always("max", .decimal, "the greatest price of a variant"),
        .always(Price.Member.currency, .text, "the ISO 4217 code of the currency"),
    ]

    /// Whether a product is sold in several variants.
    static func areSeveral(in details: ProductDetails) -> Bool { details.attributes[name]?.array?.count ?? 0 > 1 }

    /// Whether the price of a product is the least of a range.
    static func hasRange(_ details: ProductDetails) -> Bool {
        guard let range = details.attributes[range]?.object,
            let least = range["min"]?.number.flatMap({ ExactDecimal($0) }),
            let greatest = range["max"]?.number.flatMap({ ExactDecimal($0) })
        else { return false }
        return range[Price.Member.currency] == .string(details.price.currency) && least.value == details.price.amount
            && greatest.value > least.value
    }
}

extension MemberReader {
    /// The product's own price, or the least of its variants' with their range.
    ///
    /// - Throws: `DecodingError` also for variants in several currencies, or another than the product states.
    func priceAndRange() throws -> (price: Price, range: JSONValue?) {
        let own = try objectIfPresent(ProductMember.price)
        guard own?.present(Price.Member.amount) == nil, let prices = try variantPrices(), let first = prices.first
        else {
            return (try Price(own ?? object(ProductMember.price)), nil)
        }
        let currency = try own?.stringIfPresent(Price.Member.currency) ?? first.currency
        if let other = prices.first(where: { $0.currency != currency }) {
            throw corrupted(
                SoldVariants.name, "prices in \(currency) and \(other.currency); a product has one currency")
        }
        let least = prices.min { $0.amount < $1.amount } ?? first
        let greatest = prices.max { $0.amount < $1.amount } ?? first
        guard least.amount != greatest.amount, let min = least.digits, let max = greatest.digits else {
            return (least, nil)
        }
        return (
            least,
            .object(["min": .number(min), "max": .number(max), Price.Member.currency: .string(currency)])
        )
    }

    /// The prices of the variants that have one; nil without variants.
    private func variantPrices() throws -> [Price]? {
        try objectsIfPresent(SoldVariants.name)?.compactMap { variant in
            try variant.objectIfPresent(ProductMember.price).map { try Price($0) }
        }
    }
}
