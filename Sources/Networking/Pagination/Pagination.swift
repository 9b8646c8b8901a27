package import Configuration

/// The way in which an upstream divides a collection into pages.
///
/// A conformer is a pure value that neither sends nor remembers anything; `PaginatedCollection` does both.
public protocol Pagination: Sendable {
    /// The limit of pages; a collection with more is an error.
    var maxPages: Int { get }
    /// The request for the first page.
    var first: PageRequest { get }
    /// Reads the size of the whole collection from a page.
    /// - Throws: `PaginationError.unreadable` when the page lacks the field that the config names.
    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent
    /// The request for the page after this one; nil after the last.
    /// - Throws: `PaginationError.unreadable` when the reference to the next page is invalid.
    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
}

/// The `paginations:` section.
package enum PaginationFamily: ComponentFamily {
    package typealias Instance = any Pagination
    package static let noun = "pagination"
    package static let section = "paginations"

    package static let specs: [ComponentSpec<PaginationFamily>] = [
        SinglePagination.spec, NumberedPagination.spec, OffsetPagination.spec, CursorPagination.spec,
        LinkPagination.spec, SincePagination.spec,
    ]
}

extension FieldSpec {
    static let maxPages = FieldSpec.defaulted(
        "max_pages", .integer, "1000", "The most pages that are read; a collection with more is an error.")
}

extension FieldReader {
    func maxPages() -> Int {
        integer("max_pages", in: 1...)
    }

    /// Reads the name of a query parameter that is required or has a default.
    func parameterName(_ field: String) -> String {
        let name = string(field)
        if name.isEmpty { report(.error, at: field, "\"\(field)\" must not be empty") }
        return name
    }

    /// Reports a size parameter without a size, which would never be sent.
    func requireSize(_ size: String, for parameter: String) {
        guard has(parameter), !has(size) else { return }
        report(.error, at: parameter, "\"\(parameter)\" is sent only with \"\(size)\", which is missing")
    }
}

/// No pages: one response is the whole collection.
public struct SinglePagination: Pagination {
    /// `type: single` in the `paginations:` section.
    package static let spec = ComponentSpec<PaginationFamily>(
        type: "single", summary: "no pages: one response is the whole collection", fields: [],
        example: "{ type: single }", plan: { _ in { _ in SinglePagination() } })

    /// Creates the pagination.
    public init() {}

    /// One.
    public var maxPages: Int { 1 }

    /// The collection's own URL.
    public var first: PageRequest { .parameters([]) }

    /// Unknown.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    /// Nil.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
        nil
    }
}
