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

    /// Reads a number, also one written as a text, or behind the slash of a range as in `Content-Range`.
    /// - Throws: `PaginationError.unreadable` if it is missing, since ignoring that could lose pages.
    func count(in page: CollectionPage) throws(PaginationError) -> Int {
        let value = value(in: page)
        let text = value?.string
        let count = value?.number?.integer ?? text.flatMap { Int($0) } ?? text.flatMap(HTTPHeaders.total(ofRange:))
        guard let count, count >= 0 else {
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

extension HTTPHeaders {
    /// Headers in which an upstream states how many items it has.
    private static let totals = [
        "X-Total-Count", "X-Total", "X-WP-Total", "Total-Count", "Content-Range", "REST-Content-Range", "Resources",
    ]

    /// The number of items in all, and the header that states it; nil without one.
    package var statedTotal: (name: String, count: Int)? {
        Self.totals.lazy.compactMap { name in
            let count = self[name].flatMap { Int($0) ?? Self.total(ofRange: $0) }
            return count.flatMap { $0 >= 0 ? (name, $0) : nil }
        }.first
    }

    /// The number behind the slash of `items 0-3/12`; nil for any other text.
    static func total(ofRange text: String) -> Int? {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, let range = sides[0].split(separator: " ").last, !text.hasPrefix("bytes"),
            range == "*" || range.contains("-") && range.allSatisfy({ $0 == "-" || $0.isNumber })
        else { return nil }
        return Int(sides[1])
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
