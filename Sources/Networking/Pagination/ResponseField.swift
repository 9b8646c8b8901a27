internal import Configuration
public import JSON

/// Where in a response a value stands: in a header, or at a key path of the body.
public enum ResponseField: Sendable, Hashable {
    /// The value of a header.
    case header(String)
    /// What the path leads to in the body.
    case path(JSONPath)

    /// The value in a page, if there is one; a header's value is a text.
    func value(in page: CollectionPage) -> JSONValue? {
        switch self {
        case .header(let name): page.headers[name].map(JSONValue.string)
        case .path(let path): page.document[path]
        }
    }

    /// The number in a page, also when it is written as a text.
    /// - Throws: `PaginationError.unreadable` when there is none: a page that does not tell what the config promises
    ///   could be the first of many that nobody would ask for.
    func count(in page: CollectionPage) throws(PaginationError) -> Int {
        let value = value(in: page)
        guard let count = value?.number?.integer ?? value?.string.flatMap({ Int($0) }), count >= 0 else {
            throw .unreadable(self, expected: "a whole number", found: value?.excerpt ?? "nothing", page: page.number)
        }
        return count
    }
}

extension ResponseField: CustomStringConvertible {
    /// As messages name it: `header X-WP-Total`, `"meta.total"`.
    public var description: String {
        switch self {
        case .header(let name): "header \(name)"
        case .path(let path): "\"\(path)\""
        }
    }
}

extension ResponseField {
    /// The members of a field that says where in a response a value stands; exactly one is given.
    static let fields: [FieldSpec] = [
        .optional("header", .string, "The response header that holds it."),
        .optional("path", .string, "The key path to it in the body."),
    ]

    /// Reads a field of that type, or nil when it is absent or not good.
    init?(_ reader: FieldReader, _ field: String) {
        guard let inner = reader.optionalObject(field) else { return nil }
        switch (inner.optionalString("header"), inner.optionalString("path")) {
        case (let header?, nil): self.init(header: header, inner)
        case (nil, let path?): self.init(path: path, inner)
        case (nil, nil):
            if inner.isSound { inner.report(.error, at: nil, "\"\(field)\" needs \"header\" or \"path\"") }
            return nil
        case (_?, _?):
            inner.report(.error, at: "path", "\"header\" and \"path\" exclude each other; keep one")
            return nil
        }
    }

    private init?(header: String, _ reader: FieldReader) {
        guard HTTPHeader.isSendable(name: header) else {
            reader.report(.error, at: "header", "\(header.debugDescription) is no name of a header")
            return nil
        }
        self = .header(header)
    }

    private init?(path: String, _ reader: FieldReader) {
        guard let path = reader.keyPath("path", path) else { return nil }
        self = .path(path)
    }
}

extension FieldReader {
    /// The key path in the text of a field, reported where it is none.
    func keyPath(_ field: String, _ text: String) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        report(
            .error, at: field, "\"\(text)\" is no key path; write names with dots between them, like data.products")
        return nil
    }
}

extension JSONValue {
    /// A string, or a number as it was written: what can stand in a URL or tell one item from another.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.literal
        case .null, .bool, .array, .object: nil
        }
    }
}
