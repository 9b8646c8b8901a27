public import Configuration

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

/// The `paginations:` section: ways in which upstreams divide collections into pages.
public enum PaginationFamily: ComponentFamily {
    /// A pagination.
    public typealias Instance = any Pagination
    /// One of them in messages.
    public static let noun = "pagination"
    /// Where they are labelled.
    public static let section = "paginations"

    /// Every pagination a config file can name.
    public static let specs: [ComponentSpec<PaginationFamily>] = [
        SinglePagination.spec, NumberedPagination.spec, OffsetPagination.spec, CursorPagination.spec,
        LinkPagination.spec, SincePagination.spec,
    ]

    /// Used as it was made.
    public static func adopt(_ instance: any Pagination, as outline: ComponentOutline, in assembly: Assembly)
        -> any Pagination
    {
        instance
    }
}

extension FieldSpec {
    /// The field that all paginations with more than one page share.
    static let maxPages = FieldSpec.defaulted(
        "max_pages", .integer, "1000", "The most pages that are read; a collection with more is an error.")
}

extension FieldReader {
    /// The value of `FieldSpec.maxPages`.
    func maxPages() -> Int {
        integer("max_pages", in: 1...)
    }

    /// The name of a query parameter that is required or has a default.
    func parameterName(_ field: String) -> String {
        let name = string(field)
        if name.isEmpty { report(.error, at: field, "\"\(field)\" must not be empty") }
        return name
    }

    /// Notes that the parameter for a page's size is named but not its value, which would never be sent.
    func requireSize(_ size: String, for parameter: String) {
        guard has(parameter), !has(size) else { return }
        report(.error, at: parameter, "\"\(parameter)\" is sent only with \"\(size)\", which is missing")
    }
}

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
