internal import Configuration
internal import Networking

extension OffsetPagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "offset",
        summary: "pages that are asked for by the number of items before them",
        fields: [
            .defaulted("offset_parameter", .string, "offset", "The query parameter with the number of items before."),
            .defaulted("limit_parameter", .string, "limit", "The query parameter with the number of items wanted."),
            .optional("limit", .integer, "How many items are wanted on a page; not sent where it is absent."),
            .optional(
                "total", .object(ResponseField.fields), "Where a response tells how many items there are in all."),
            .maxPages,
        ],
        example: "{ type: offset, offset_parameter: skip, limit: 100, total: { path: total } }",
        plan: { reader in
            reader.requireSize("limit", for: "limit_parameter")
            let pagination = OffsetPagination(
                offsetParameter: reader.parameterName("offset_parameter"),
                limitParameter: reader.parameterName("limit_parameter"),
                limit: reader.optionalInteger("limit", in: 1...), total: ResponseField(reader, "total"),
                maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}
