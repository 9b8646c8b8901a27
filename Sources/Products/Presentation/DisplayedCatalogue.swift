internal import JSON

/// The JSON array of the texts of a catalogue's products; see ``ProductDisplayable``.
package struct DisplayedCatalogue: Sendable {
    /// The array, brackets included.
    package let bytes: [UInt8]
    /// The range of each product, braces included, in `bytes`; in the order of the catalogue.
    package let ranges: [Range<Int>]

    /// Encodes a catalogue with its marks; takes tens of milliseconds for ten thousand products.
    package init(_ catalogue: Catalogue, _ marks: PopularityMarks) {
        let array = EncodedArray(catalogue.products) { position, product, bytes in
            let display = product.variant.display(isPopular: marks.isPopular[position])
            JSONWriter.append(Self.members(of: display, product), to: &bytes)
        }
        (bytes, ranges) = (array.bytes, array.ranges)
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
