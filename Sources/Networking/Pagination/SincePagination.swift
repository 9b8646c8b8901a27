internal import Configuration
internal import JSON

/// Pages that are each requested by the last item of the one before, as its successors, until an empty one.
///
/// The upstream must sort by that field, oldest first, and leave out the given item.
struct SincePagination: Pagination {
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
            return { _ in pagination }
        })

    let parameter: String
    /// The path within an item; it must lead to a text or number.
    let field: JSONPath
    var maxPages = 1000

    var first: PageRequest { .parameters([]) }

    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest? {
        guard let last = page.items.last else { return nil }
        guard let value = last[field]?.plainText, !value.isEmpty else {
            let found = last[field]?.excerpt ?? "nothing"
            throw .unreadableItem(field, index: page.items.count - 1, found: found, page: page.number)
        }
        return .parameters([QueryParameter(parameter, value)])
    }
}
