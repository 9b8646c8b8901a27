public import Configuration

/// Pages that name the next one in the `Link` header, as RFC 8288 has it, by `rel="next"`. One that names none is the
/// last.
public struct LinkPagination: Pagination {
    /// `type: link` in the `paginations:` section.
    public static let spec = ComponentSpec<PaginationFamily>(
        type: "link", summary: "pages that name the next one in the Link header, by rel=\"next\"",
        fields: [.maxPages], example: "{ type: link }",
        plan: { reader in
            let pagination = LinkPagination(maxPages: reader.maxPages())
            return { _ in pagination }
        })

    /// The most pages that are read.
    public let maxPages: Int

    /// Creates a pagination.
    public init(maxPages: Int = 1000) {
        self.maxPages = maxPages
    }

    /// False.
    public var isSingle: Bool { false }

    /// The collection's own URL.
    public var first: PageRequest { .parameters([]) }

    /// Says nothing.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    /// Where the link leads. A header that cannot be read is an error: it may have named a page.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
        for header in page.headers.all where header.name.lowercased() == "link" {
            guard let links = LinkHeader(header.value) else {
                throw .unreadable(.header("Link"), expected: "links", found: "something else", page: page.number)
            }
            if let target = links.target(of: "next") { return .link(target) }
        }
        return nil
    }
}
