public import Configuration
internal import JSON

/// Pages of which each one tells how the next is asked for: by a cursor, or by its URL.
///
/// A page without a cursor, or with an empty one, is the last.
public struct CursorPagination: Pagination {
    /// `type: cursor` in the `paginations:` section.
    public static let spec = ComponentSpec<PaginationFamily>(
        type: "cursor",
        summary: "pages of which each one holds the cursor, or the URL, of the next",
        fields: [
            .optional(
                "parameter", .string, "The query parameter with the cursor; without it, cursors are URLs to follow."),
            .required("next", .object(ResponseField.fields), "Where a response holds the cursor of the next page."),
            .maxPages,
        ],
        example: "{ type: cursor, parameter: cursor, next: { path: meta.next_cursor } }",
        plan: { reader in
            let parameter = reader.optionalString("parameter")
            if parameter == "" { reader.report(.error, at: "parameter", "\"parameter\" must not be empty") }
            let pagination = CursorPagination(
                parameter: parameter, next: ResponseField(reader, "next") ?? .path(.root), maxPages: reader.maxPages())
            return { _ in pagination }
        })

    /// The most pages that are read.
    public let maxPages: Int
    private let parameter: String?
    private let nextField: ResponseField

    /// Creates a pagination.
    ///
    /// - Parameters:
    ///   - parameter: carries the cursor; nil where what a page holds is the next one's URL, whole or relative. A whole
    ///     URL is followed in either case.
    ///   - next: where a response holds it.
    public init(parameter: String?, next: ResponseField, maxPages: Int = 1000) {
        self.parameter = parameter
        nextField = next
        self.maxPages = maxPages
    }

    /// False.
    public var isSingle: Bool { false }

    /// The collection without a cursor.
    public var first: PageRequest { .parameters([]) }

    /// Says nothing.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    /// The page that the cursor stands for.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
        guard let value = nextField.value(in: page), value != .null, value != .bool(false) else { return nil }
        guard let cursor = value.plainText else {
            throw .unreadable(nextField, expected: "a cursor", found: value.excerpt, page: page.number)
        }
        if cursor.isEmpty { return nil }
        guard let parameter, !Self.isURL(cursor) else { return .link(cursor) }
        return .parameters([QueryParameter(parameter, cursor)])
    }

    private static func isURL(_ cursor: String) -> Bool {
        let start = cursor.prefix("https://".count).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
