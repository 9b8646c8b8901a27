public import JSON

/// The place of a value in a response: a header, or a key path of the body.
public enum ResponseField: Sendable, Hashable, CustomStringConvertible {
    case header(String)
    case path(JSONPath)

    /// Reads the value from a page; a header's value is a text.
    func value(in page: CollectionPage) -> JSONValue? {
        switch self {
        case .header(let name): page.headers[name].map(JSONValue.string)
        case .path(let path): page.document[path]
        }
    }

    /// Reads a number, also one written as a text.
    /// - Throws: `PaginationError.unreadable` if it is missing, since ignoring that could lose pages.
    func count(in page: CollectionPage) throws(PaginationError) -> Int {
        let value = value(in: page)
        guard let count = value?.number?.integer ?? value?.string.flatMap({ Int($0) }), count >= 0 else {
            throw .unreadable(self, expected: "a whole number", found: value?.excerpt ?? "nothing", page: page.number)
        }
        return count
    }

    /// The place in messages: `header X-WP-Total`, `"meta.total"`.
    public var description: String {
        switch self {
        case .header(let name): "header \(name)"
        case .path(let path): "\"\(path)\""
        }
    }
}

extension JSONValue {
    /// The text of a string or number, for URLs and the comparison of ids.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.literal
        case .null, .bool, .array, .object: nil
        }
    }
}
