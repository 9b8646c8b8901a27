public import Configuration
internal import JSON

extension CatalogueMapping {
    /// The members of `decode`.
    public static let fields: [FieldSpec] = [
        .optional("items", .string, "the key path to the array of items; the document itself when absent"),
        .optional("type", .any, "the kind of every item, or where an item tells it: { path, map, otherwise }"),
        .optional("fields", .map(.string), "ours: theirs, by key path"),
        .optional("constants", .map(.string), "ours: a value that every item gets"),
        .defaulted(
            "unknown_kinds", .choice(UnknownKindPolicy.self), "reject",
            "what happens to an item of unknown kind"),
    ]

    private static let typeFields: [FieldSpec] = [
        .required("path", .string, "the key path to what tells the kind"),
        .optional("map", .map(.string), "theirs: ours"),
        .optional("otherwise", .string, "the kind where the map has no entry"),
    ]

    /// Reads a mapping from the config.
    init(_ reader: FieldReader) {
        self.init(
            items: reader.optionalString("items").flatMap { Self.path($0, reader, "items") } ?? .root,
            type: Self.typeRule(reader),
            fields: reader.stringMap("fields").compactMap { ours, theirs in
                guard let ours = Self.path(ours, reader, "fields"), let theirs = Self.path(theirs, reader, "fields")
                else { return nil }
                return (ours, theirs)
            },
            constants: reader.stringMap("constants").compactMap { ours, value in
                Self.path(ours, reader, "constants").map { ($0, JSONValue.string(value)) }
            },
            unknownKinds: reader.choice("unknown_kinds", UnknownKindPolicy.self))
    }

    private static func typeRule(_ reader: FieldReader) -> TypeRule? {
        guard let node = reader.node("type") else { return nil }
        if let constant = node.text { return .constant(constant) }
        let inner = reader.reader(for: node, fields: typeFields, what: "type")
        let map = Dictionary(inner.stringMap("map").map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let path = path(inner.string("path"), inner, "path") ?? .root
        return .path(path, map: map, otherwise: inner.optionalString("otherwise"))
    }

    /// A key path, reported where it is none.
    private static func path(_ text: String, _ reader: FieldReader, _ field: String) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        reader.report(
            .error, at: field, "\"\(text)\" is no key path; write names with dots between them, like data.products")
        return nil
    }
}
