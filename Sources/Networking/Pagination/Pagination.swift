/// How an upstream divides a collection into pages: what its first page is called, and what comes after each.
///
/// A conformer is a pure value that neither asks nor remembers; `PaginatedCollection` does both.
public protocol Pagination: Sendable {
    /// Whether one response is the whole collection, so that nobody need look for pages in it.
    var isSingle: Bool { get }
    /// The most pages there may be; wanting more is an error.
    var maxPages: Int { get }
    /// The request for the first page.
    var first: PageRequest { get }
    /// What a page says about the size of the whole collection.
    /// - Throws: `PaginationError.unreadable` when it does not say what the config promises.
    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent
    /// The request for the page after this one; nil after the last.
    /// - Throws: `PaginationError.unreadable` when the page has something else where the way to the next should be.
    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
}
