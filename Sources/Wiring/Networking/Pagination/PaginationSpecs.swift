package import Configuration
internal import JSON
package import Networking

/// How an upstream divides a collection into pages.
package struct CollectionPages: Sendable {
    /// Nil if one response is the whole collection.
    package let pagination: (any Pagination)?
    /// The pagination of changes, and the time between readings of the whole collection; nil if each reading is whole.
    package var changes: (pagination: SincePagination, fullEvery: Duration)?
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

    package static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> CollectionPages
    ) throws -> CollectionPages { try make() }

    private static let single = ComponentSpec<PaginationFamily>(
        type: "single", summary: "no pages: one response is the whole collection", fields: [],
        example: "{ type: single }", plan: { _ in { _ in CollectionPages(pagination: nil) } })
}

extension FieldSpec {
    fileprivate static let total = FieldSpec.optional(
        "total", .object(ResponseField.fields),
        "Where a response tells how many items there are in all: a number, or items 0-9/120.")
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

    /// Reads the variable of the request's body that tells the page, which excludes parameters for it.
    func variableName(insteadOf parameters: [String]) -> String? {
        let variable = optionalString("variable")
        if variable == "" { report(.error, at: "variable", "\"variable\" must not be empty") }
        if variable != nil, let parameter = parameters.first(where: has) {
            report(.error, at: "variable", "a page is told by \"\(parameter)\" or by \"variable\", not by both")
        }
        return variable
    }

    /// Reports a size parameter without a size, which would never be sent.
    func requireSize(_ size: String, for parameter: String) {
        guard has(parameter), !has(size) else { return }
        report(.error, at: parameter, "\"\(parameter)\" is sent only with \"\(size)\", which is missing")
    }
}

extension NumberedPagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "page",
        summary: "pages that are asked for by number",
        fields: [
            .defaulted("parameter", .string, "page", "The query parameter with the page's number."),
            .optional("size_parameter", .string, "The query parameter with the number of items wanted on a page."),
            .optional("size", .integer, "How many items are wanted, or come, on a page."),
            .defaulted("first", .integer, "1", "The number of the first page."),
            .optional("pages", .object(ResponseField.fields), "Where a response tells how many pages there are."),
            .total,
            .maxPages,
        ],
        example: "{ type: page, size_parameter: per_page, size: 100, pages: { header: X-WP-TotalPages } }",
        plan: { reader in
            reader.requireSize("size", for: "size_parameter")
            let pagination = NumberedPagination(
                parameter: reader.parameterName("parameter"), sizeParameter: reader.optionalString("size_parameter"),
                size: reader.optionalInteger("size", in: 1...), firstNumber: reader.integer("first", in: 0...1_000_000),
                pages: ResponseField(reader, "pages"), total: ResponseField(reader, "total"),
                maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}

extension OffsetPagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "offset",
        summary: "pages that are asked for by the number of items before them",
        fields: [
            .defaulted("offset_parameter", .string, "offset", "The query parameter with the number of items before."),
            .defaulted("limit_parameter", .string, "limit", "The query parameter with the number of items wanted."),
            .optional(
                "variable", .string,
                "The variable of the request's body with the number of items before, instead of both parameters."),
            .optional("limit", .integer, "How many items are wanted on a page; not sent where it is absent."),
            .total,
            .maxPages,
        ],
        example: "{ type: offset, offset_parameter: skip, limit: 100, total: { path: total } }",
        plan: { reader in
            reader.requireSize("limit", for: "limit_parameter")
            let variable = reader.variableName(insteadOf: ["offset_parameter", "limit_parameter"])
            let pagination = OffsetPagination(
                offsetParameter: reader.parameterName("offset_parameter"),
                limitParameter: reader.parameterName("limit_parameter"), variable: variable,
                limit: reader.optionalInteger("limit", in: 1...), total: ResponseField(reader, "total"),
                maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}

extension CursorPagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "cursor",
        summary: "pages of which each one holds the cursor, or the URL, of the next",
        fields: [
            .optional(
                "parameter", .string, "The query parameter with the cursor; without it, cursors are URLs to follow."),
            .optional(
                "variable", .string, "The variable of the request's body with the cursor, instead of a parameter."),
            .required("next", .object(ResponseField.fields), "Where a response holds the cursor of the next page."),
            .optional(
                "more", .object(ResponseField.fields),
                "Where a response tells by true or false whether there is another page; else its cursor does."),
            .total, .maxPages,
        ],
        example: "{ type: cursor, parameter: cursor, next: { path: meta.next_cursor } }",
        plan: { reader in
            let parameter = reader.optionalString("parameter")
            if parameter == "" { reader.report(.error, at: "parameter", "\"parameter\" must not be empty") }
            let pagination = CursorPagination(
                parameter: parameter, variable: reader.variableName(insteadOf: ["parameter"]),
                next: ResponseField(reader, "next") ?? .path(.root),
                more: ResponseField(reader, "more"), total: ResponseField(reader, "total"), maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}

extension LinkPagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "link", summary: "pages that name the next one in the Link header, by rel=\"next\"",
        fields: [.total, .maxPages], example: "{ type: link, total: { header: X-Total } }",
        plan: { reader in
            let pagination = LinkPagination(total: ResponseField(reader, "total"), maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}

extension SincePagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "since",
        summary: "pages of what is newer than a value in the page before, until nothing new comes",
        fields: [
            .required(
                "parameter", .string,
                "The query parameter for items with a greater value, in the order of the values; not sent at first."),
            .required("field", .string, "The key path to that value in an item, such as updated_at."),
            .optional(
                "total", .object(ResponseField.fields),
                "Where a response tells how many items there are in all, the same on each page."),
            .optional(
                "full_every", .duration,
                "Only so often a refresh reads everything, and else what has changed since the last; what is gone is "
                    + "noticed then, or by the total."),
            .maxPages,
        ],
        example: "{ type: since, parameter: updated_since, field: updated_at, total: { header: X-Total } }",
        plan: { reader in
            let pagination = SincePagination(
                parameter: reader.parameterName("parameter"),
                field: reader.keyPath("field", reader.string("field")) ?? .root, total: ResponseField(reader, "total"),
                maxPages: reader.maxPages())
            let fullEvery = reader.optionalDuration("full_every", in: Duration.milliseconds(1)...)
            return { _ in CollectionPages(pagination: pagination, changes: fullEvery.map { (pagination, $0) }) }
        })
}

extension ResponseField {
    /// The members of the mapping. A config gives exactly one.
    static let fields: [FieldSpec] = [
        .optional("header", .string, "The response header that holds it."),
        .optional("path", .string, "The key path to it in the body."),
    ]

    /// Reads such a mapping; nil when it is absent or invalid.
    init?(_ reader: FieldReader, _ field: String) {
        let example = "{ path: meta.\(field) } or { header: NAME }"
        guard let inner = reader.optionalObject(field, like: example) else { return nil }
        switch (inner.optionalString("header"), inner.optionalString("path")) {
        case (let header?, nil): self.init(header: header, inner)
        case (nil, let path?): self.init(path: path, inner)
        case (nil, nil):
            if inner.isSound { inner.report(.error, at: nil, "\"\(field)\" needs \"header\" or \"path\"") }
            return nil
        case (_?, _?):
            inner.report(.error, at: "path", "\"header\" and \"path\" exclude each other; keep one")
            return nil
        }
    }

    private init?(header: String, _ reader: FieldReader) {
        guard HTTPHeader.isSendable(name: header) else {
            reader.report(.error, at: "header", "\(header.debugDescription) is no name of a header")
            return nil
        }
        self = .header(header)
    }

    private init?(path: String, _ reader: FieldReader) {
        guard let path = reader.keyPath("path", path) else { return nil }
        self = .path(path)
    }
}

extension FieldReader {
    /// Parses the key path of a field, and reports an invalid one.
    func keyPath(_ field: String, _ text: String) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        report(.error, at: field, "\"\(text)\" \(JSONPath.fault(of: text))")
        return nil
    }
}
