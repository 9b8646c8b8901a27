package import JSON

/// Pages that are each requested by the last item of the one before, as its successors, until an empty one.
///
/// The upstream must sort by that field, oldest first, and leave out the given item.
package struct SincePagination: Pagination {
    let parameter: String
    /// The path within an item; it must lead to a text or number.
    let field: JSONPath
    package let maxPages: Int

    package init(parameter: String, field: JSONPath, maxPages: Int = 1000) {
        self.parameter = parameter
        self.field = field
        self.maxPages = maxPages
    }

    package var first: PageRequest { .parameters([]) }

    package func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    package func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError)
        -> PageRequest?
    {
        guard let last = page.items.last else { return nil }
        guard let value = last[field]?.plainText, !value.isEmpty else {
            let found = last[field]?.excerpt ?? "nothing"
            throw .unreadableItem(field, index: page.items.count - 1, found: found, page: page.number)
        }
        return .parameters([QueryParameter(parameter, value)])
    }
}
