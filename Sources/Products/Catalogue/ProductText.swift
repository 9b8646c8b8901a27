internal import FoundationEssentials
internal import JSON

/// A product of a catalogue as its canonical encoding. The members that rules, marks and queries need are found without
/// making the product.
///
/// The canonical form begins with `type`, `id`, `name`, `price` and `sales`, in this order. Bytes of another form yield
/// wrong members, but never trap or read beyond the product.
package struct ProductText: Sendable {
    package let encoded: [UInt8]
    /// The range of the product's object.
    package let range: Range<Int>
    package let typeRange: Range<Int>
    package let idRange: Range<Int>
    package let nameRange: Range<Int>
    package let amountRange: Range<Int>
    let currencyRange: Range<Int>
    private let salesRange: Range<Int>

    /// Finds the members of the product at a range of a canonical encoding.
    init(_ encoded: [UInt8], _ range: Range<Int>) {
        self.encoded = encoded
        self.range = range
        var reader = CanonicalReader(encoded, in: range)
        typeRange = reader.string(of: ProductMember.type)
        idRange = reader.string(of: ProductMember.id)
        nameRange = reader.string(of: ProductMember.name)
        reader.enter(ProductMember.price)
        amountRange = reader.value(of: Price.Member.amount)
        currencyRange = reader.string(of: Price.Member.currency)
        reader.leave()
        salesRange = reader.value(of: ProductMember.sales)
    }

    /// Finds the members of a product that another one mostly begins like: an earlier or later revision of it.
    init(_ encoded: [UInt8], _ range: Range<Int>, like other: ProductText) {
        let (shift, amount) = (range.lowerBound - other.range.lowerBound, other.amountRange.lowerBound)
        let beginning = range.lowerBound..<min(amount + shift, range.upperBound)
        if encoded.span.hasSame(beginning, as: other.encoded.span, other.range.lowerBound..<amount) {
            self.init(encoded, range, beginningLike: other, by: shift)
        } else {
            self.init(encoded, range)
        }
    }

    private init(_ encoded: [UInt8], _ range: Range<Int>, beginningLike other: ProductText, by shift: Int) {
        (self.encoded, self.range) = (encoded, range)
        typeRange = other.typeRange.shifted(by: shift)
        idRange = other.idRange.shifted(by: shift)
        nameRange = other.nameRange.shifted(by: shift)
        let amount = other.amountRange.lowerBound + shift
        var reader = CanonicalReader(encoded, in: range, atValue: amount, of: Price.Member.amount)
        amountRange = reader.value(of: Price.Member.amount)
        currencyRange = reader.string(of: Price.Member.currency)
        reader.leave()
        salesRange = reader.value(of: ProductMember.sales)
    }

    /// The product's own id, for lookups that need only this.
    static func idRange(_ encoded: [UInt8], _ range: Range<Int>) -> Range<Int> {
        let (text, end) = (encoded.span, max(range.lowerBound, range.upperBound - 1))
        let type = min(range.lowerBound + typeStart, end)
        let id = min(CanonicalReader.closingQuote(text, from: type, before: end) + idStart, end)
        return id..<CanonicalReader.closingQuote(text, from: id, before: end)
    }

    /// The bytes before the type, and from its last quote to the id.
    private static let typeStart = #"{"\#(ProductMember.type)":""#.utf8.count
    private static let idStart = #"","\#(ProductMember.id)":""#.utf8.count

    package var typeName: String { text(typeRange) }
    package var id: String { text(idRange) }
    package var name: String { text(nameRange) }
    /// The amount of the price: digits in plain notation, the same for equal amounts.
    package var amount: String { text(amountRange) }
    package var isNegative: Bool { encoded[amountRange].first == UInt8(ascii: "-") }
    package var currency: String { text(currencyRange) }
    package var hasKnownCurrency: Bool { Currency.isKnown(encoded.span, currencyRange) }
    /// The price in messages: `12 EUR`.
    package var price: String { "\(amount) \(currency)" }
    /// The amount as a number in the order of the amounts; see ``PlainAmount``.
    package var amountKey: Int { PlainAmount.key(encoded.span, amountRange) }
    package var description: String? { optional(ProductMember.description) }

    package var sales: Int {
        var (sales, isNegative) = (0, false)
        for byte in encoded[salesRange] {
            if byte == UInt8(ascii: "-") {
                isNegative = true
            } else {
                sales = sales &* 10 &- Int(byte &- UInt8(ascii: "0"))
            }
        }
        return isNegative ? sales : 0 &- sales
    }

    /// The range of the object in four parts: up to the price, the price, the sales, and all other members.
    var parts: (head: Range<Int>, price: Range<Int>, sales: Range<Int>, rest: Range<Int>) {
        let price = max(range.lowerBound, min(amountRange.lowerBound, range.upperBound))
        let sales = max(price, min(salesRange.lowerBound, range.upperBound))
        let rest = max(sales, min(salesRange.upperBound, range.upperBound))
        return (range.lowerBound..<price, price..<sales, sales..<rest, rest..<range.upperBound)
    }

    /// Whether its kind has products within it, or amounts that buyers can choose.
    package var isCompound: Bool { kind.map { $0.hasContents || $0.hasDenominations } ?? false }

    /// Whether an amount that buyers can choose is negative.
    package var hasNegativeDenomination: Bool {
        guard kind?.hasDenominations == true else { return false }
        return elements(of: ProductMember.denominations).contains { encoded[$0.lowerBound] == UInt8(ascii: "-") }
    }

    /// Returns its first price below a minimum; nil if there is none.
    package func price(below minimum: MinimumPrice) -> LowPrice? {
        if kind?.hasDenominations == true || value(SoldVariants.name) != nil { return members.price(below: minimum) }
        return minimum.isAbove(key: amountKey) ? LowPrice(member: LowPrice.price, amount: amount) : nil
    }

    /// Whether a member is there and neither null nor empty.
    package func isFilled(_ member: String) -> Bool {
        switch member {
        case ProductMember.type, ProductMember.id, ProductMember.price, ProductMember.sales: return true
        case ProductMember.name: return !nameRange.isEmpty
        default:
            guard let value = value(member) else { return false }
            return !["\"\"", "null", "[]", "{}"].contains { encoded[value].elementsEqual($0.utf8) }
        }
    }

    /// The product with the common members alone, for bytes that are not canonical.
    var remains: KeptProduct {
        let amount = JSONNumber(literal: amount).flatMap { ExactDecimal($0) }?.value ?? 0
        let price = Price(amount: amount, currency: currency)
        return KeptProduct(
            details: ProductDetails(id: id, name: name, price: price, sales: sales), typeName: typeName)
    }

    /// All members; none if the bytes are not an object.
    var members: JSONObject {
        (try? JSONParser(depthLimit: Catalogue.depthLimit).parse(encoded, in: range))?.object ?? JSONObject()
    }

    /// The products within it, the add-on last; those that its price includes are in the source's order.
    package var contents: [ProductText] {
        contentRanges.map { ProductText(encoded, $0) }
    }

    /// The ranges of the products within it, in their order in the encoding.
    var contentRanges: [Range<Int>] {
        guard kind?.hasContents == true else { return [] }
        return elements(of: ProductMember.products) + (value(ProductMember.addOn).map { [$0] } ?? [])
    }

    private var kind: ProductShape? { ProductShapes.all.kind(named: typeRange, in: encoded.span) }

    private func elements(of member: String) -> [Range<Int>] {
        guard let array = value(member) else { return [] }
        return CanonicalReader.elements(encoded, array)
    }

    private func optional(_ member: String) -> String? {
        range(of: member).map { text($0) }
    }

    /// The content of a string after `sales`.
    package func range(of member: String) -> Range<Int>? {
        value(member).map { $0.dropFirst().dropLast() }
    }

    /// Whether the bytes of a text are ASCII without escapes.
    package func isPlain(_ range: Range<Int>) -> Bool {
        let bytes = encoded.span
        for at in range where bytes[at] >= 0x80 || bytes[at] == UInt8(ascii: "\\") { return false }
        return true
    }

    /// The value of a member after `sales`.
    package func value(_ member: String) -> Range<Int>? {
        var reader = CanonicalReader(encoded, in: range, at: salesRange.upperBound)
        return reader.find(member)
    }

    /// A text, or the content of a string.
    package func text(_ range: Range<Int>) -> String {
        if encoded[range].contains(UInt8(ascii: "\\")), range.lowerBound > 0, range.upperBound < encoded.count,
            case .string(let text)? = try? JSONParser().parse(encoded, in: range.lowerBound - 1..<range.upperBound + 1)
        {
            return text
        }
        return String(decoding: encoded[range], as: UTF8.self)
    }
}

extension ProductText {
    /// The contents of the texts and numbers that name its categories, the best of each first.
    package var categoryRanges: [Range<Int>] { categoryNames.flatMap(\.self) }

    /// The texts by which a query finds its categories.
    package var categories: [String] { categoryRanges.map { text($0) } }

    /// One text for each of its categories.
    package var categoryTitles: [String] { categoryNames.compactMap(\.first).map { text($0) } }

    private var categoryNames: [[Range<Int>]] { categoryValues.map { names(in: $0) } }

    /// The value of each of its categories.
    package var categoryValues: [Range<Int>] {
        guard let value = value(ProductMember.category), !value.isEmpty else { return [] }
        guard encoded[value.lowerBound] == UInt8(ascii: "[") else { return [value] }
        return CanonicalReader.elements(encoded, value)
    }

    private func names(in value: Range<Int>) -> [Range<Int>] {
        guard !value.isEmpty else { return [] }
        switch encoded[value.lowerBound] {
        case UInt8(ascii: "\""): return [value.dropFirst().dropLast()]
        case UInt8(ascii: "["): return CanonicalReader.elements(encoded, value).flatMap { names(in: $0) }
        case UInt8(ascii: "{"):
            var (reader, found) = (CanonicalReader(encoded, in: value), [String: Range<Int>]())
            while let member = reader.nextMember() { found[text(member.name)] = member.value }
            return ProductCategories.names.compactMap { found[$0] }.flatMap { names(in: $0) }
        case UInt8(ascii: "n"): return []
        default: return [value]
        }
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
}
