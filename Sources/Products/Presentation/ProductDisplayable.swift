internal import FoundationEssentials
internal import JSON

/// The texts of one product for a shop's page, decided by the product's kind.
///
/// Each kind has one conforming type, and no member has a default implementation. Kinds share a
/// ``ProductDisplayDefaults``, which each reads by choice, so a new member must be decided for every kind. Fixed texts
/// are in English.
protocol ProductDisplayable: Sendable {
    /// The heading.
    var title: String { get }
    /// One line below the heading.
    var subtitle: String? { get }
    /// The price in the form `19.99 EUR`.
    var priceLabel: String { get }
    var image: String? { get }
    /// A word or two to highlight.
    var badge: String? { get }
    /// One line of description.
    var summary: String? { get }
    /// Whether it can be put into a basket without a further choice.
    var isSelectable: Bool { get }
}

/// The texts that any product can have, for each kind to read by choice.
struct ProductDisplayDefaults: Sendable {
    /// The name; the id if the name is empty.
    let title: String
    let subtitle: String?
    let priceLabel: String
    let image: String?
    /// `Popular`, by the product's mark.
    let badge: String?
    /// The beginning of the description, in one line.
    let summary: String?
    /// False if there is a variant to choose.
    let isSelectable: Bool

    init(_ product: some Product, isPopular: Bool) {
        let details = product.details
        title = details.name.isEmpty ? details.id : details.name
        subtitle = DisplayText.line(details.category?.titles.joined(separator: ", "))
        let price = PriceLabel.text(details.price)
        priceLabel = SoldVariants.hasRange(details) ? "from \(price)" : price
        isSelectable = !SoldVariants.areSeveral(in: details)
        image = details.imageURL.flatMap { $0.isEmpty ? nil : $0 }
        badge = isPopular ? "Popular" : nil
        summary = details.description.flatMap(DisplayText.excerpt)
    }
}

extension ProductVariant {
    /// Returns the display for the kind.
    func display(isPopular: Bool) -> any ProductDisplayable {
        func defaults(_ product: some Product) -> ProductDisplayDefaults {
            ProductDisplayDefaults(product, isPopular: isPopular)
        }
        return switch self {
        case .physical(let product): PhysicalProductDisplay(product: product, defaults: defaults(product))
        case .digital(let product): DigitalProductDisplay(product: product, defaults: defaults(product))
        case .subscription(let product): SubscriptionProductDisplay(product: product, defaults: defaults(product))
        case .bundle(let product): BundleProductDisplay(product: product, defaults: defaults(product))
        case .giftCard(let product): GiftCardProductDisplay(product: product, defaults: defaults(product))
        case .kept(let product): KeptProductDisplay(product: product, defaults: defaults(product))
        }
    }
}

/// The JSON array of the texts of a catalogue's products; see ``ProductDisplayable``.
package struct DisplayedCatalogue: Sendable {
    /// The document with the products, in the order of the catalogue.
    package let array: EncodedArray

    /// Encodes products with their marks; takes tens of milliseconds for ten thousand products.
    package init(_ products: EncodedProducts, _ marks: PopularityMarks) {
        var array = EncodedArray(documentOf: products.count, capacity: products.count * 128)
        for (product, isPopular) in zip(products, marks.isPopular) {
            let display = product.variant.display(isPopular: isPopular)
            _ = array.append { JSONWriter.append(Self.members(of: display, product), to: &$0) as Void? }
        }
        array.closeDocument()
        self.array = array
    }

    private static func members(of display: some ProductDisplayable, _ product: some Product) -> JSONObject {
        var members = JSONObject(minimumCapacity: 9)
        members["id"] = .string(product.id)
        members["type"] = .string(product.typeName)
        members["title"] = .string(display.title)
        members["subtitle"] = display.subtitle.map(JSONValue.string)
        members["priceLabel"] = .string(display.priceLabel)
        members["image"] = display.image.map(JSONValue.string)
        members["badge"] = display.badge.map(JSONValue.string)
        members["summary"] = display.summary.map(JSONValue.string)
        members["selectable"] = .bool(display.isSelectable)
        return members
    }

    /// The members of each object, in their order, for API documentation.
    package static let members: [MemberDescription] = [
        .always("id", .filledText, "the unique id of the product"),
        .always("type", .text, "the product's kind"),
        .always("title", .text, "the heading"),
        .sometimes("subtitle", .text, "one line below the heading"),
        .always("priceLabel", .text, "its price, such as 19.99 EUR"),
        .sometimes("image", .text, "the URL of a picture"),
        .sometimes("badge", .text, "a word or two that stand out"),
        .sometimes("summary", .text, "one line of description"),
        .always("selectable", .flag, "whether it can be put into a basket without a further choice"),
    ]
}

/// Shortens texts of a source to one line of a shop's page.
enum DisplayText {
    /// The longest line in characters, without the ellipsis.
    private static let limit = 160
    /// The longest beginning that is read of a text, which may be a whole manual.
    private static let reach = 4 * limit

    /// The beginning of a text in one line, cut after a word and then with an ellipsis; nil for a blank text.
    static func excerpt(_ text: String) -> String? {
        if isLine(text) { return text }
        let beginning = text.drop(while: \.isWhitespace).prefix(reach)
        var line = ""
        var left = limit
        for word in beginning.split(whereSeparator: \.isWhitespace) {
            guard word.count <= left else { return line.isEmpty ? "\(word.prefix(limit))…" : "\(line) …" }
            if !line.isEmpty { line += " " }
            line += word
            left -= word.count + 1
        }
        guard !line.isEmpty else { return nil }
        return beginning.endIndex == text.endIndex ? line : "\(line) …"
    }

    /// Joins the parts that are not blank in one line; nil without any.
    static func line(_ parts: String?...) -> String? {
        let present = parts.compactMap { $0.flatMap(excerpt) }
        return present.isEmpty ? nil : present.joined(separator: " · ")
    }

    /// The fast path for most texts: short printable ASCII with single blanks between words.
    private static func isLine(_ text: String) -> Bool {
        let blank = UInt8(ascii: " ")
        guard (1...limit).contains(text.utf8.count) else { return false }
        var last = blank
        for byte in text.utf8 {
            guard byte > blank && byte < 0x7F || byte == blank && last != blank else { return false }
            last = byte
        }
        return last != blank
    }
}

/// Formats prices: `19.99 EUR`, `1500 JPY`, `0.100 KWD`.
///
/// An amount has at least the minor digits of its currency, or two for an unknown currency. More digits are kept: a
/// rounded price would be wrong.
enum PriceLabel {
    static func text(_ price: Price) -> String {
        text(price.amount, in: price.currency)
    }

    static func text(_ amount: Decimal, in currency: String) -> String {
        let digits = digits(of: amount, in: currency)
        return currency.isEmpty ? digits : "\(digits) \(currency)"
    }

    /// The label of a range; of one amount if both are equal.
    static func range(from least: Decimal, to most: Decimal, in currency: String) -> String {
        guard least != most else { return text(least, in: currency) }
        return "\(digits(of: least, in: currency)) – \(text(most, in: currency))"
    }

    private static func digits(of amount: Decimal, in currency: String) -> String {
        guard let plain = ExactDecimal(amount).digits?.literal else { return amount.description }
        let wanted = Currency(code: currency)?.minorDigits ?? Currency.usualMinorDigits
        let fraction = plain.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst().first?.count ?? 0
        guard fraction < wanted else { return plain }
        return plain + (fraction == 0 ? "." : "") + String(repeating: "0", count: wanted - fraction)
    }
}

/// Formats sizes of downloads: `512 bytes`, `1.5 KiB`, `700 MiB`.
enum SizeLabel {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// The label to a tenth of the unit; nil for a negative number.
    static func text(_ bytes: Int) -> String? {
        guard bytes >= 0 else { return nil }
        guard bytes >= 1024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var unit = 0
        while bytes >> (10 * (unit + 2)) > 0 { unit += 1 }
        var tenths = tenths(of: bytes, unit)
        if tenths == 10_240 { (unit, tenths) = (unit + 1, 10) }
        return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(units[unit])"
    }

    /// Rounds to the nearest: the last ten bits below the unit are enough for a tenth.
    private static func tenths(of bytes: Int, _ unit: Int) -> Int {
        ((bytes >> (10 * unit)) * 10 + 512) / 1024
    }
}
