internal import Configuration
internal import JSON

/// Pages that each hold the cursor, or the URL, of the next. A page without one, or with an empty one, is the last.
struct CursorPagination: Pagination {
    static let spec = ComponentSpec<PaginationFamily>(
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

    /// Carries the cursor; nil if pages hold the URL of the next, absolute or relative. An absolute URL is followed in
    /// either case.
    let parameter: String?
    /// The place of the cursor or URL in a response.
    let next: ResponseField
    var maxPages = 1000

    var first: PageRequest { .parameters([]) }

    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest? {
        guard let value = next.value(in: page), value != .null, value != .bool(false) else { return nil }
        guard let cursor = value.plainText else {
            throw .unreadable(next, expected: "a cursor", found: value.excerpt, page: page.number)
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
