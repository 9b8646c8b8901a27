public import Configuration

/// No pages: one response is the whole collection.
public struct SinglePagination: Pagination {
    /// `type: single` in the `paginations:` section.
    public static let spec = ComponentSpec<PaginationFamily>(
        type: "single", summary: "no pages: one response is the whole collection", fields: [],
        example: "{ type: single }", plan: { _ in { _ in SinglePagination() } })

    /// Creates the pagination.
    public init() {}

    /// True.
    public var isSingle: Bool { true }

    /// One.
    public var maxPages: Int { 1 }

    /// The collection's own URL.
    public var first: PageRequest { .parameters([]) }

    /// Says nothing.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    /// Nothing.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
        nil
    }
}
