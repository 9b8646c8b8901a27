/// The way in which an upstream divides a collection into pages.
///
/// A conformer is a pure value that neither sends nor remembers anything; `PaginatedCollection` does both.
public protocol Pagination: Sendable {
    /// The limit of pages; a collection with more is an error.
    var maxPages: Int { get }
    /// The request for the first page.
    var first: PageRequest { get }
    /// Reads the size of the whole collection from a page.
    /// - Throws: `PaginationError.unreadable` when the page lacks a field that tells the next one.
    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent
    /// The request for the page after this one; nil after the last.
    /// - Throws: `PaginationError.unreadable` when the reference to the next page is invalid.
    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
}
