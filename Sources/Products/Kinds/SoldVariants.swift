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

    /// The members that name a variant, the best first.
    package static let names = [ProductMember.id, sku]
    private static let sku = "sku"

    /// The members of a variant, for mappings and API documentation.
    package static let members: [MemberDescription] = [
        .sometimes(ProductMember.id, .filledText, "its id"),
        .sometimes(sku, .text, "its stock keeping unit"),
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

/// The least price at which a product may be sold, in the main unit of its currency.
package struct MinimumPrice: Sendable, Hashable, CustomStringConvertible {
    /// The amount in plain notation.
    package let description: String
    private let key: Int

    /// Nil for a text that is not a number above 0, of at most twelve digits before the point and six behind.
    package init?(_ text: String) {
        guard let digits = JSONNumber(literal: text).flatMap({ ExactDecimal($0) })?.digits,
            case let key = PlainAmount.key(of: digits), key > 0, PlainAmount.isExact(key)
        else { return nil }
        (description, self.key) = (digits.literal, key)
    }

    /// Whether an amount with this key of a ``PlainAmount`` is lower. An inexact key lies between the exact ones.
    func isAbove(key amount: Int) -> Bool { amount < key }

    /// Whether a number, or a text with one, is lower.
    fileprivate func isAbove(_ amount: JSONValue) -> Bool {
        let number = amount.number ?? amount.string.flatMap { JSONNumber(literal: $0) }
        return number.flatMap { ExactDecimal($0) }?.digits.map { isAbove(key: PlainAmount.key(of: $0)) } ?? false
    }
}

/// A price of a product below the minimum.
package struct LowPrice: Sendable, Hashable {
    static let price = "\(ProductMember.price).\(Price.Member.amount)"

    /// The path to the amount in the product.
    package let member: String
    package let amount: String
}

extension JSONObject {
    /// Returns the first price below a minimum of a product in Larder's own form; nil if there is none.
    ///
    /// A gift card is sold at its denominations, and at its price without any. Products within a bundle do not count, since
    /// its own price includes them.
    package func price(below minimum: MinimumPrice) -> LowPrice? {
        func amount(_ object: JSONObject?) -> JSONValue? { object?[ProductMember.price]?.object?[Price.Member.amount] }
        let isCard = self[ProductMember.type]?.string == ProductKind.giftCard.rawValue
        let denominations = isCard ? self[ProductMember.denominations]?.array ?? [] : []
        var prices = denominations.enumerated().map { ("\(ProductMember.denominations)[\($0)]", $1) }
        if denominations.isEmpty, let own = amount(self) { prices.append((LowPrice.price, own)) }
        for (index, variant) in (self[SoldVariants.name]?.array ?? []).enumerated() {
            if let own = amount(variant.object) {
                prices.append(("\(SoldVariants.name)[\(index)].\(LowPrice.price)", own))
            }
        }
        return prices.first { minimum.isAbove($1) }.map {
            LowPrice(member: $0, amount: $1.number?.literal ?? $1.string ?? "")
        }
    }
}

extension MemberReader {
    /// The product's own price, or the lowest price of its variants and their range.
    ///
    /// - Throws: `DecodingError` also for variants in several currencies, or in a currency other than the product's.
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
