internal import Concurrency
internal import Hashing
internal import JSON

/// A collection that is read page by page.
///
/// Each page names the next. All pages must form one whole: no page twice, no item on two pages, and as many items as
/// the upstream states. After an error, start over with a new value.
package struct PaginatedCollection: Sendable {
    private let collection: CollectionResource
    private let fetcher: any CollectionFetcher
    private let pagination: any Pagination
    private let headers: [HTTPHeader]
    private var seen: SeenPages
    private var upcoming: WebAddress?
    /// The request for the upcoming page.
    private var request: PageRequest
    private var bodyLeft: Int

    /// The number of the page read last, from 1; 0 before the first.
    package private(set) var currentPage = 0
    private(set) var progress = CollectionProgress()

    /// Prepares to read a collection; sends nothing yet.
    ///
    /// - Parameters:
    ///   - collection: its body limit counts for all pages together, its timeouts for each. An item on two pages is
    ///     recognised by its id; items without an id are not compared.
    ///   - headers: sent with each request, in addition to those of the collection.
    package init(
        _ collection: CollectionResource, fetcher: any CollectionFetcher, pagination: any Pagination,
        headers: [HTTPHeader] = []
    ) {
        self.collection = collection
        self.fetcher = fetcher
        self.pagination = pagination
        self.headers = headers
        seen = SeenPages(collection)
        bodyLeft = collection.limits.body
        request = pagination.first
        upcoming = collection.address(of: request)
    }

    /// The number of pages; nil before the first page, or if the upstream does not state it.
    package var pageCount: Int? { progress.extent.pages }

    /// Whether there is another page to fetch. True before the first.
    package var hasMore: Bool { currentPage == 0 || upcoming != nil }

    /// Fetches the next page and parses it off the event loops; nil after the last. The page lists only new items.
    ///
    /// - Throws: `PaginationError`; `HTTPClientError`; `CancellationError` when the calling task is cancelled.
    package mutating func fetchNext() async throws -> CollectionPage? {
        guard hasMore else { return nil }
        guard let address = upcoming else { throw collection.badAddress }
        guard currentPage < pagination.maxPages else { throw PaginationError.tooManyPages(limit: pagination.maxPages) }
        currentPage += 1
        seen.insert(PagePlace(address, self.request), page: currentPage)
        var request = collection.request(adding: headers)
        request.url = address.text
        if let body = collection.body(of: self.request) { request.body = body }
        request.limits.body = bodyLeft
        let response = try await fetcher.fetch(request)
        bodyLeft -= response.body.count
        var page = try await parsed(response)
        let new = try record(page)
        upcoming = try next(after: page, at: address)
        if upcoming == nil { try checkTotal() }
        page.items = new
        return page
    }

    private func parsed(_ response: HTTPClientResponse) async throws -> CollectionPage {
        let (number, collection) = (currentPage, collection)
        return try await offLoop {
            try CollectionPage(
                response, number: number, itemsPaths: collection.itemsPaths, isGraphQL: collection.isGraphQL,
                items: collection.items)
        }
    }

    /// Counts a page, and returns its items that no earlier page had.
    private mutating func record(_ page: CollectionPage) throws(PaginationError) -> [JSONValue] {
        let new = try seen.insert(page, requestedBy: request)
        let extent = try pagination.extent(of: page)
        try checkUnchanged(extent, page.number)
        progress.extent = extent
        try checkFilled(page)
        progress.itemCount += new.count
        progress.newItems = new.count
        progress.largestPage = max(progress.largestPage, page.items.count)
        progress.request = request
        return new
    }

    private func checkUnchanged(_ extent: CollectionExtent, _ page: Int) throws(PaginationError) {
        if let from = progress.extent.total, let to = extent.total, from != to {
            throw .changedTotal(from: from, to: to, page: page)
        }
        if let from = progress.extent.pages, let to = extent.pages, from != to {
            throw .changedPageCount(from: from, to: to, page: page)
        }
        if let pages = extent.pages, pages > pagination.maxPages { throw .tooManyPages(limit: pagination.maxPages) }
    }

    private func checkFilled(_ page: CollectionPage) throws(PaginationError) {
        guard page.items.isEmpty, let pages = progress.extent.pages, page.number < pages else { return }
        throw .emptyPage(page: page.number, of: pages)
    }

    private func checkTotal() throws(PaginationError) {
        guard let total = progress.extent.total, total != progress.itemCount else { return }
        throw .wrongTotal(total, items: progress.itemCount, page: currentPage)
    }

    private mutating func next(after page: CollectionPage, at current: WebAddress) throws(PaginationError)
        -> WebAddress?
    {
        guard let request = try pagination.next(after: page, progress) else { return nil }
        guard let next = collection.address(of: request, from: current) else { throw .badLink(page: page.number) }
        guard collection.follows(next, from: current) else {
            throw .foreignLink(origin: "\(next.origin)", allowed: "\(current.origin)", page: page.number)
        }
        if let earlier = seen.page(at: PagePlace(next, request)) { throw .loop(to: earlier, page: page.number) }
        self.request = request
        return next
    }
}

/// The address of a page, with the variable of its body.
private struct PagePlace: Sendable, Hashable {
    let address: WebAddress
    let variable: JSONValue?

    init(_ address: WebAddress, _ request: PageRequest) {
        self.address = address
        variable = if case .variable(_, let value) = request { value } else { nil }
    }
}

/// The addresses, bodies and ids of the pages read so far, to detect repetitions.
private struct SeenPages: Sendable {
    /// The last page with an item, and the value of the item that requests refer to.
    private struct Sighting: Sendable {
        let page: Int
        let value: String?
    }

    private let collection: CollectionResource
    private var addresses: [PagePlace: Int] = [:]
    private var bodies: [ContentDigest: Int] = [:]
    private var ids: [String: Sighting] = [:]

    init(_ collection: CollectionResource) {
        self.collection = collection
    }

    func page(at address: PagePlace) -> Int? { addresses[address] }

    mutating func insert(_ address: PagePlace, page: Int) {
        addresses[address] = page
    }

    /// - Returns: the items without those that the request allows to be repeated.
    /// - Throws: `PaginationError` if an earlier page equals this one or has one of its items. Duplicates within a page
    ///   are not an error: nothing has moved.
    mutating func insert(
        _ page: CollectionPage, requestedBy request: PageRequest
    ) throws(PaginationError) -> [JSONValue] {
        guard !page.items.isEmpty else { return [] }
        var member: JSONPath?
        if case .beyond(_, let path, _) = request { member = path }
        if let earlier = bodies.updateValue(page.number, forKey: page.digest), member == nil {
            throw .repeatedPage(earlier: earlier, page: page.number)
        }
        var again: Set<Int> = []
        for (index, item) in page.items.enumerated() {
            guard let id = collection.id(of: item) else { continue }
            let sighting = Sighting(page: page.number, value: member.flatMap { item[$0]?.plainText })
            guard let earlier = ids.updateValue(sighting, forKey: id), earlier.page != page.number else { continue }
            guard let value = earlier.value, value == sighting.value else {
                throw .movedItem(id: id, earlier: earlier.page, page: page.number)
            }
            again.insert(index)
        }
        return again.isEmpty ? page.items : page.items.indices.filter { !again.contains($0) }.map { page.items[$0] }
    }
}
