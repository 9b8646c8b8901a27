import JSON

/// The JSON array of what is shown of a catalogue's products.
///
/// Each is an object of `id`, `type`, `title`, `subtitle`, `priceLabel`, `image`, `badge`, `summary` and `selectable`,
/// without those of them that it has not.
public struct DisplayedCatalogue: Sendable {
    /// The array, brackets included.
    public let bytes: [UInt8]
    /// Where each product, braces included, stands in `bytes`; in the order of the catalogue.
    public let ranges: [Range<Int>]

    /// What is shown of a catalogue, its products popular by a rule.
    public init(_ catalogue: Catalogue, popularity: PopularityRule) {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(catalogue.products.count)
        bytes.append(UInt8(ascii: "["))
        for product in catalogue.products {
            if !ranges.isEmpty { bytes.append(UInt8(ascii: ",")) }
            let start = bytes.count
            let display = product.variant.display(popularity: popularity)
            JSONWriter.append(Self.members(of: display, product), to: &bytes)
            ranges.append(start..<bytes.count)
        }
        bytes.append(UInt8(ascii: "]"))
        self.bytes = bytes
        self.ranges = ranges
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

    /// What clients get of each product in this view, in its order.
    public static let members: [MemberDescription] = [
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

extension ProductsListing {
    /// What is shown of the products. Like ``encoded()`` it depends on nothing but the revision and the rule, takes
    /// tens of milliseconds for ten thousand products and is not kept here.
    public func displayed() -> DisplayedCatalogue {
        DisplayedCatalogue(answer.snapshot.catalogue, popularity: popularity)
    }
}
