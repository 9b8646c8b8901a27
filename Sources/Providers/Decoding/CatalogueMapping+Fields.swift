public import Configuration
internal import PolymorphicCodable

extension CatalogueMapping {
    /// The members of `decode`.
    public static let fields: [FieldSpec] = [
        .optional("items", .string, "the key path to the array of items; the document itself when absent"),
        .optional("type", .any, "the kind of every item, or where an item tells it: { path, map, otherwise }"),
        .optional(
            "fields", .map(.any),
            "ours: theirs, by key path; or { path, scale, default }, where path may be a list of which the first that "
                + "leads to a value counts, and scale is how many digits of an amount in minor units stand behind the "
                + "point, as a number or as { path }"),
        .optional("constants", .map(.any), "ours: a string, number or boolean that every item gets"),
        .defaulted(
            "attributes", .any, "keep",
            "whether what is not mapped is kept, and so public: keep, drop, or a list of the names of what is kept"),
        .defaulted(
            "unknown_kinds", .choice(UnknownKindPolicy.self), "reject",
            "what happens to an item of unknown kind"),
        .defaulted(
            "on_bad_item", .choice(BadItemPolicy.self), "reject",
            "whether an item that cannot be decoded makes the whole catalogue bad, or is left out and logged"),
    ]

    /// The members of `type`, where it is no constant.
    static let typeFields: [FieldSpec] = [
        .required("path", .any, "the key path to what tells the kind, or several in order of preference"),
        .optional("map", .map(.string), "theirs: ours"),
        .optional("otherwise", .string, "the kind where the map has no entry"),
    ]

    /// The members of one of `fields`, where it is no key path.
    static let fieldFields: [FieldSpec] = [
        .required("path", .any, "the key path to their member, or several in order of preference"),
        .optional("scale", .any, "how many digits stand behind the point, or where an item tells it: { path }"),
        .optional("default", .any, "ours where theirs is missing"),
    ]

    /// The members of `scale`, where it is no number.
    static let scaleFields: [FieldSpec] = [
        .required("path", .string, "the key path to the number of digits")
    ]

    /// Reads a mapping from the config.
    init(_ reader: FieldReader) {
        self = MappingReader(reader).mapping()
    }
}
