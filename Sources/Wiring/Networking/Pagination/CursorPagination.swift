internal import Configuration
internal import JSON
internal import Networking

extension CursorPagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "cursor",
        summary: "pages of which each one holds the cursor, or the URL, of the next",
        fields: [
            .optional(
                "parameter", .string, "The query parameter with the cursor; without it, cursors are URLs to follow."),
            .required("next", .object(ResponseField.fields), "Where a response holds the cursor of the next page."),
            .maxPages,
        ],
        example: "{ type: cursor, parameter: cursor, next: { path: meta.next_cursor } }",
        plan: { reader in
            let parameter = reader.optionalString("parameter")
            if parameter == "" { reader.report(.error, at: "parameter", "\"parameter\" must not be empty") }
            let pagination = CursorPagination(
                parameter: parameter, next: ResponseField(reader, "next") ?? .path(.root), maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}
