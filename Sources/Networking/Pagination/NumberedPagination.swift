/// Pages that are requested by number.
///
/// The last page has the number that the upstream states as their count, or reaches the stated total. Without either, it
/// is empty, or shorter than full ones before it.
package struct NumberedPagination: Pagination {
    let parameter: String
    /// Sent with `size`; nil if the upstream takes none.
    let sizeParameter: String?
    /// The items of a full page; nil when unknown.
    let size: Int?
    let firstNumber: Int
    /// The place of the number of pages in a response.
    let pages: ResponseField?
    /// The place of the number of all items in a response.
    let total: ResponseField?
    package let maxPages: Int

    package init(
        parameter: String = "page", sizeParameter: String? = nil, size: Int? = nil, firstNumber: Int = 1,
        pages: ResponseField? = nil, total: ResponseField? = nil, maxPages: Int = 1000
    ) {
        self.parameter = parameter
        self.sizeParameter = sizeParameter
        self.size = size
        self.firstNumber = firstNumber
        self.pages = pages
        self.total = total
        self.maxPages = maxPages
    }

    package var first: PageRequest { request(firstNumber) }

    package func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page), pages: try pages?.count(in: page))
    }

    package func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError)
        -> PageRequest?
    {
        isLast(page, progress) ? nil : request(firstNumber + page.number)
    }

    private func isLast(_ page: CollectionPage, _ progress: CollectionProgress) -> Bool {
        if let pages = progress.extent.pages { return page.number >= pages }
        if let total = progress.extent.total { return progress.itemCount >= total || page.items.isEmpty }
        return progress.isLast(page, size: size)
    }

    private func request(_ number: Int) -> PageRequest {
        let wanted = sizeParameter.flatMap { name in size.map { QueryParameter(name, "\($0)") } }
        return .parameters([QueryParameter(parameter, "\(number)")] + (wanted.map { [$0] } ?? []))
    }
}
