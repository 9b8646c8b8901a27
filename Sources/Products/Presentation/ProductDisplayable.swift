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
    /// A word or two that stand out.
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
    let isSelectable = true

    init(_ product: some Product, isPopular: Bool) {
        let details = product.details
        title = details.name.isEmpty ? details.id : details.name
        subtitle = DisplayText.line(details.category)
        priceLabel = PriceLabel.text(details.price)
        image = details.imageURL.flatMap { $0.isEmpty ? nil : $0 }
        badge = isPopular ? "Popular" : nil
        summary = details.description.flatMap(DisplayText.excerpt)
    }
}

extension ProductVariant {
    /// Picks the display of the kind; the one place that does.
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
    /// The products, in the order of the catalogue.
    package let array: EncodedArray

    /// Encodes a catalogue with its marks; takes tens of milliseconds for ten thousand products.
    package init(_ catalogue: Catalogue, _ marks: PopularityMarks) {
        var array = EncodedArray(capacity: catalogue.count * 128, count: catalogue.count)
        for (product, isPopular) in zip(catalogue.products, marks.isPopular) {
            let display = product.variant.display(isPopular: isPopular)
            _ = array.append { JSONWriter.append(Self.members(of: display, product), to: &$0) as Void? }
        }
        array.close()
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
        .always("id", .filledText, "what tells the product from all others"),
        .always("type", .text, "the product's kind"),
        .always("title", .text, "the heading"),
        .sometimes("subtitle", .text, "one line below the heading"),
        .always("priceLabel", .text, "what it costs, such as 19.99 EUR"),
        .sometimes("image", .text, "where a picture is"),
        .sometimes("badge", .text, "a word or two that stand out"),
        .sometimes("summary", .text, "one line about what it is"),
        .always("selectable", .flag, "whether it can be put into a basket as it stands"),
    ]
}
