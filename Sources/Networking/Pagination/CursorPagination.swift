internal import JSON

/// Pages that contain the cursor, or the URL, of the next. A page without one, or with an empty one, is the last.
package struct CursorPagination: Pagination {
    /// The parameter for the cursor; nil if pages contain the URL of the next, absolute or relative. An absolute URL is
    /// followed in either case.
    let parameter: String?
    /// The variable of the request's body for the cursor, instead of a parameter.
    let variable: String?
    /// The place of the cursor or URL in a response.
    let next: ResponseField
    /// The place of a boolean: whether there is another page. nil if the cursor implies it.
    let more: ResponseField?
    /// The place of the total of items in a response.
    let total: ResponseField?
    package let maxPages: Int

    package init(
        parameter: String?, variable: String? = nil, next: ResponseField, more: ResponseField? = nil,
        total: ResponseField? = nil, maxPages: Int = 1000
    ) {
        (self.parameter, self.variable, self.more) = (parameter, variable, more)
        (self.next, self.total) = (next, total)
        self.maxPages = maxPages
    }

    package var first: PageRequest { .parameters([]) }

    package func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page))
    }

    package func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError)
        -> PageRequest?
    {
        if let more {
            switch more.value(in: page) {
            case .bool(true)?, "true"?: break
            case .bool(false)?, "false"?: return nil
            case let found:
                throw .unreadable(
                    more, expected: "a boolean", found: found?.kindName ?? "nothing", page: page.number)
            }
        }
        let found = next.value(in: page)
        guard let value = found, value != .null, value != .bool(false), value != "" else {
            // The upstream has said that there is another page.
            if more == nil { return nil }
            throw .unreadable(next, expected: "a cursor", found: found?.excerpt ?? "nothing", page: page.number)
        }
        guard let cursor = value.plainText else {
            throw .unreadable(next, expected: "a cursor", found: value.excerpt, page: page.number)
        }
        if let variable { return .variable(variable, value) }
        guard let parameter, !Self.isURL(cursor) else { return .link(cursor) }
        return .parameters([QueryParameter(parameter, cursor)])
    }

    private static func isURL(_ cursor: String) -> Bool {
        let start = cursor.prefix("https://".count).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
