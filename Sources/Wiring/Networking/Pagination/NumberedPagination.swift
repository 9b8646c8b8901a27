internal import Configuration
internal import Networking

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
            .optional(
                "total", .object(ResponseField.fields), "Where a response tells how many items there are in all."),
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
