internal import Configuration
internal import JSON
internal import Networking

extension SincePagination {
    static let spec = ComponentSpec<PaginationFamily>(
        type: "since",
        summary: "each page asks for what is newer than the last item before it, until an empty one",
        fields: [
            .required("parameter", .string, "The query parameter with the last item's value; not sent at first."),
            .required("field", .string, "The key path to that value in an item, such as updated_at."),
            .maxPages,
        ],
        example: "{ type: since, parameter: updated_since, field: updated_at }",
        plan: { reader in
            let pagination = SincePagination(
                parameter: reader.parameterName("parameter"),
                field: reader.keyPath("field", reader.string("field")) ?? .root, maxPages: reader.maxPages())
            return { _ in CollectionPages(pagination: pagination) }
        })
}
