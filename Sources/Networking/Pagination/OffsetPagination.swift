/// Pages that are requested by the number of items before them.
///
/// The next offset counts the items received, not requested, since many upstreams give fewer. The last page reaches the
/// total or, without a stated total, is empty or shorter than full ones before it.
package struct OffsetPagination: Pagination {
    let offsetParameter: String
    let limitParameter: String
    /// The items wanted on a page; nil to leave that to the upstream.
    let limit: Int?
    /// The place of the number of all items in a response.
    let total: ResponseField?
    package let maxPages: Int

    package init(
        offsetParameter: String = "offset", limitParameter: String = "limit", limit: Int? = nil,
        total: ResponseField? = nil, maxPages: Int = 1000
    ) {
        self.offsetParameter = offsetParameter
        self.limitParameter = limitParameter
        self.limit = limit
        self.total = total
        self.maxPages = maxPages
    }

    package var first: PageRequest { request(0) }

    package func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page))
    }

    package func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError)
        -> PageRequest?
    {
        isLast(page, progress) ? nil : request(progress.itemCount)
    }

    private func isLast(_ page: CollectionPage, _ progress: CollectionProgress) -> Bool {
        guard let total = progress.extent.total else { return progress.isLast(page, size: limit) }
        return progress.itemCount >= total || page.items.isEmpty
    }

    private func request(_ offset: Int) -> PageRequest {
        let wanted = limit.map { [QueryParameter(limitParameter, "\($0)")] } ?? []
        return .parameters([QueryParameter(offsetParameter, "\(offset)")] + wanted)
    }
}
