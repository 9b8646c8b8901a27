package import Configuration
package import Decoding
internal import PolymorphicCodable
internal import Products

extension CatalogueMapping {
    package static let fields: [FieldSpec] = [
        .defaulted("format", .choice(DocumentFormat.self), "json", "what a document is written in"),
        .optional("delimiter", .string, "what stands between the cells of csv, like ;"),
        .optional(
            "items", .string,
            "the key path to the array of items, or to the repeated element of xml; the document itself when absent"),
        .optional(
            "item", .string, "the key path from an element of that array to the item, like node; else it is the element"
        ),
        .optional(
            "includes", .any,
            "lists beside the items, whose objects take the place of their ids: { path: included } of JSON:API, or a list of "
                + "{ path, of, id, as }"),
        .defaulted(
            "max_joined", .size, "256MiB",
            "the most bytes that objects of includes, as JSON without white space, may take in the items of all pages; a "
                + "catalogue with more is refused"),
        .optional(
            "when", .map(.any),
            "what an item has to say at a path to be taken: a text, number or boolean, or a list of such"),
        .optional("type", .any, "the kind of every item, or where an item tells it: { path, map, otherwise }"),
        .optional(
            "fields", .map(.any),
            "ours: theirs, by path: images.0.src, variants.*.price, prices[currency=eur].amount, prices[!group].amount; or "
                + "{ path, during, locale, localized, split, last_segment, words, prefix, join, form, scale, pick, default }, see the page Configuration"
        ),
        .optional("constants", .map(.any), "ours: a string, number or boolean that every item gets"),
        .optional("variants", .object(variantsFields), "where the variants of a product are, and their members"),
        attributes,
        .optional(
            "omit", .list(.string),
            "members of products that are not served, by path, like items.*.cost, whatever attributes keeps"),
        .defaulted(
            "unknown_kinds", .choice(UnknownKindPolicy.self), "reject",
            "what happens to an item of unknown kind"),
        .defaulted(
            "on_bad_item", .choice(BadItemPolicy.self), "reject",
            "whether an item that cannot be decoded makes the whole catalogue bad, or is left out and logged"),
        .minimumPrice("an item that costs less, such as 0.01, is bad; none when absent"),
    ]

    private static let attributes = FieldSpec.defaulted(
        "attributes", .any, "keep",
        "whether what is not mapped is kept, and so public: keep, drop, or a list of the names of what is kept")

    private static let variantsFields: [FieldSpec] = [
        .optional(
            "path", .any, "the path to the list of variants in an item, or several paths, whose variants are all taken"),
        .optional("parent", .string, "where variants are items of their own: the path to the id of their product"),
        .optional("when", .map(.any), "what a variant has to say at a path to be taken, as in decode"),
        .optional(
            "fields", .map(.any),
            "ours: theirs, as in decode: id, sku, name, price.amount, price.currency, stock, image, or any attribute"),
        attributes,
    ]

    /// The members of an entry of `includes`.
    static let includeFields: [FieldSpec] = [
        .required("path", .string, "the key path to the list in the document"),
        .optional(
            "of", .string, "the path to an id, or to several, in an item; without it the list is that of JSON:API"),
        .optional("id", .string, "the key path to the id in an object of the list; id when absent"),
        .optional("as", .string, "the member of the item that gets the object, or the list of several"),
    ]

    /// The members of `type` if it is not a constant.
    static let typeFields: [FieldSpec] = [
        .required("path", .any, "the key path to what tells the kind, or several in order of preference"),
        .optional("map", .map(.string), "theirs: ours"),
        .optional("otherwise", .string, "the kind where the map has no entry"),
    ]

    /// The members of an entry of `fields` if it is not a key path.
    static let fieldFields: [FieldSpec] = [
        .required("path", .any, "the path to their member, or several in order of preference"),
        .optional(
            "during", .any,
            "the time for which the first path counts: the path to an interval of ISO 8601, or { from, to, zone }"),
        .optional(
            "locale", .any, "the language of one text among several, like en-GB, or several in order of preference"),
        .optional(
            "localized", .any,
            "further languages whose texts are kept, for http.locales: a list, or ours: theirs, as { de: de-DE }"),
        .optional(
            "form", .string,
            "how a text has an amount and its currency: money, or 1234.56 as it is written, like 1.234,56"),
        .optional(
            "scale", .any, "how many digits stand behind the point: a number, currency, { path } or { divisor }"),
        .optional("pick", .choice(ValuePick.self), "which of several values counts"),
        .optional("split", .string, "what divides a text into several, like \" > \""),
        .defaulted("last_segment", .boolean, "false", "whether only what stands behind the last slash counts"),
        .optional("words", .map(.string), "theirs: ours"),
        .optional("prefix", .string, "what goes before a text that is no absolute URL"),
        .optional("join", .string, "what stands between several texts that become one"),
        .optional("default", .any, "ours where theirs is missing"),
    ]

    /// The members of `during` if it is not a path.
    static let windowFields: [FieldSpec] = [
        .optional("from", .string, "the path to the time from which a value counts; always before it is stated"),
        .optional("to", .string, "the path to the time at which it ends"),
        .optional("zone", .string, "the offset from UTC of times that state none: UTC, or like +01:00"),
    ]

    /// The members of `scale` if it is not a number.
    static let scaleFields: [FieldSpec] = [
        .optional("path", .string, "the path to the number of digits"),
        .optional("divisor", .string, "the path to the power of ten by which amounts are divided, like 100"),
    ]
}

/// Reads `decode` of a node.
enum CatalogueFormats {
    /// Returns the decoder that the field describes; by default the decoder of Larder's own form.
    static func decoder(_ reader: FieldReader, _ field: String) -> any CatalogueDecoder {
        let decoder: any CatalogueDecoder =
            reader.optionalObject(field).map { inner in
                let mapping = MappingReader(reader: inner).mapping()
                inner.checkIncludes(of: mapping)
                return mapping.decoder
            } ?? NativeCatalogueDecoder()
        reader.state(SampleDecoder(decoder: decoder))
        return decoder
    }
}

/// The decoder of a source, stated in its spec to try it on a sample.
private struct SampleDecoder: Sendable {
    let decoder: any CatalogueDecoder
}

extension ComponentOutline {
    /// The decoder of a source; nil for any other component.
    package var decoder: (any CatalogueDecoder)? { facts(SampleDecoder.self).first?.decoder }

    /// The sources of products, not those of an overlay's entries, with the members that overlays lay over the products.
    package func productSources(under laid: [String] = []) -> [(source: ComponentOutline, laid: [String])] {
        if decoder != nil { return [(self, laid)] }
        let overlay = facts(LaidMembers.self).first
        return children.filter { overlay == nil || $0.role == "upstream" }.flatMap {
            $0.outline.productSources(under: laid + (overlay?.names ?? []))
        }
    }
}
