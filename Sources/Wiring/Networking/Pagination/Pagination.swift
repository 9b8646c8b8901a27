package import Configuration
package import Networking

/// The pages that an upstream divides a collection into.
package struct CollectionPages: Sendable {
    /// Nil where one response is the whole collection.
    package let pagination: (any Pagination)?
}

/// The `paginations:` section.
package enum PaginationFamily: ComponentFamily {
    package typealias Instance = CollectionPages
    package static let noun = "pagination"
    package static let section = "paginations"

    package static let specs: [ComponentSpec<PaginationFamily>] = [
        single, NumberedPagination.spec, OffsetPagination.spec, CursorPagination.spec,
        LinkPagination.spec, SincePagination.spec,
    ]

    private static let single = ComponentSpec<PaginationFamily>(
        type: "single", summary: "no pages: one response is the whole collection", fields: [],
        example: "{ type: single }", plan: { _ in { _ in CollectionPages(pagination: nil) } })
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
