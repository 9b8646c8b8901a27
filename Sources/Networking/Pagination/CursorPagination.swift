internal import JSON

/// Pages that each hold the cursor, or the URL, of the next. A page without one, or with an empty one, is the last.
package struct CursorPagination: Pagination {
    /// Carries the cursor; nil if pages hold the URL of the next, absolute or relative. An absolute URL is followed in
    /// either case.
    let parameter: String?
    /// The place of the cursor or URL in a response.
    let next: ResponseField
    package let maxPages: Int

    package init(parameter: String?, next: ResponseField, maxPages: Int = 1000) {
        self.parameter = parameter
        self.next = next
        self.maxPages = maxPages
    }

    package var first: PageRequest { .parameters([]) }

    package func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    package func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError)
        -> PageRequest?
    {
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
