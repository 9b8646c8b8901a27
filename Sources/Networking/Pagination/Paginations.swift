package import JSON

/// How an upstream divides a collection into pages.
///
/// A conformer is a pure value; `PaginatedCollection` sends requests and keeps the state.
public protocol Pagination: Sendable {
    /// The limit of pages; a collection with more is an error.
    var maxPages: Int { get }
    /// The request for the first page.
    var first: PageRequest { get }
    /// Reads the size of the whole collection from a page.
    /// - Throws: `PaginationError.unreadable` if the page lacks a field that determines the next one.
    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent
    /// The request for the page after this one; nil after the last.
    /// - Throws: `PaginationError.unreadable` when the reference to the next page is invalid.
    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
}

/// Pages that are requested by number.
///
/// The last page has the number that the upstream states as their count, or reaches the stated total. Without either,
/// the last page is empty, or shorter than full ones before it.
package struct NumberedPagination: Pagination {
    let parameter: String
    /// Sent with `size`; nil if the upstream has no such parameter.
    let sizeParameter: String?
    /// The items on a full page; nil if unknown.
    let size: Int?
    let firstNumber: Int
    /// The place of the page count in a response.
    let pages: ResponseField?
    /// The place of the total of items in a response.
    let total: ResponseField?
    package let maxPages: Int

    package init(
        parameter: String = "page", sizeParameter: String? = nil, size: Int? = nil, firstNumber: Int = 1,
        pages: ResponseField? = nil, total: ResponseField? = nil, maxPages: Int = 1000
    ) {
        (self.parameter, self.sizeParameter, self.size) = (parameter, sizeParameter, size)
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

/// Pages that are requested by the number of items before them.
///
/// The next offset counts the items received, not requested, since many upstreams return fewer. The last page reaches
/// the total or, if none is stated, is empty or shorter than full ones before it.
package struct OffsetPagination: Pagination {
    let offsetParameter: String
    let limitParameter: String
    /// The variable of the request's body for the offset, instead of both parameters.
    let variable: String?
    /// The requested items per page; nil to leave that to the upstream.
    let limit: Int?
    /// The place of the total of items in a response.
    let total: ResponseField?
    package let maxPages: Int

    package init(
        offsetParameter: String = "offset", limitParameter: String = "limit", variable: String? = nil,
        limit: Int? = nil, total: ResponseField? = nil, maxPages: Int = 1000
    ) {
        (self.offsetParameter, self.limitParameter) = (offsetParameter, limitParameter)
        (self.variable, self.limit) = (variable, limit)
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
        if let variable { return .variable(variable, .count(offset)) }
        let wanted = limit.map { [QueryParameter(limitParameter, "\($0)")] } ?? []
        return .parameters([QueryParameter(offsetParameter, "\(offset)")] + wanted)
    }
}

/// Pages that are each requested as the items beyond a value from the page before, until no new items come.
///
/// The upstream must sort by that value in ascending order. A page is requested by the second last value of the page
/// before, since items with the last value may have been cut off; so pages overlap. Only if that brings nothing new,
/// the last value itself is requested. If items follow a page that ended among equal values, some may be missing, which
/// is an error unless the upstream states the total.
package struct SincePagination: Pagination {
    let parameter: String
    /// The path within an item; it must lead to a text or number.
    package let field: JSONPath
    /// The place of the total of items in a response.
    private var total: ResponseField?
    /// The value that the request for the first page carries; nil for all items.
    private var start: String?
    package let maxPages: Int

    package init(parameter: String, field: JSONPath, total: ResponseField? = nil, maxPages: Int = 1000) {
        self.parameter = parameter
        self.field = field
        self.total = total
        self.maxPages = maxPages
    }

    package var first: PageRequest {
        .beyond(start.map { [QueryParameter(parameter, $0)] } ?? [], by: field, isLastValue: false)
    }

    /// Returns the pagination of the items beyond a value, of which no total is known.
    package func beyond(_ value: String) -> SincePagination {
        var changes = self
        (changes.start, changes.total) = (value, nil)
        return changes
    }

    package func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page))
    }

    package func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError)
        -> PageRequest?
    {
        guard let last = page.items.last else { return nil }
        guard let value = last[field]?.plainText, !value.isEmpty else {
            let found = last[field]?.excerpt ?? "nothing"
            throw .unreadableItem(field, index: page.items.count - 1, found: found, page: page.number)
        }
        let byLast = request(value, isLastValue: true)
        if progress.newItems == 0 { return progress.request == byLast ? nil : byLast }
        if case .beyond(_, _, isLastValue: true) = progress.request, progress.extent.total == nil,
            progress.largestPage > 1
        {
            throw .equalItems(field, page: page.number - 1)
        }
        let values = page.items.reversed().lazy.compactMap { $0[field]?.plainText }
        guard let before = values.first(where: { $0 != value && !$0.isEmpty }) else { return byLast }
        let overlapping = request(before, isLastValue: false)
        return progress.request == overlapping ? byLast : overlapping
    }

    private func request(_ value: String, isLastValue: Bool) -> PageRequest {
        .beyond([QueryParameter(parameter, value)], by: field, isLastValue: isLastValue)
    }
}
