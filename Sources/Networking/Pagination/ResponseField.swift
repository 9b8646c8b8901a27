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
