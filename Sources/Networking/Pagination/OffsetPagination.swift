internal import Configuration

/// Pages that are requested by the number of items before them.
///
/// The next offset counts the items received, not requested, since many upstreams give fewer. The last page reaches the
/// total or, without a stated total, is empty or shorter than full ones before it.
struct OffsetPagination: Pagination {
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
            return { _ in pagination }
        })

    var offsetParameter = "offset"
    var limitParameter = "limit"
    /// The items wanted on a page; nil to leave that to the upstream.
    var limit: Int?
    /// The place of the number of all items in a response.
    var total: ResponseField?
    var maxPages = 1000

    var first: PageRequest { request(0) }

    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page))
    }

    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest? {
        isLast(page, progress) ? nil : request(progress.itemCount)
    }

    private func isLast(_ page: CollectionPage, _ progress: CollectionProgress) -> Bool {
        guard let total = progress.extent.total else { return progress.isLast(page, size: limit) }
        return progress.itemCount >= total || page.items.isEmpty
    }

    private func request(_ offset: Int) -> PageRequest {
        let wanted = limit.map { [QueryParameter(limitParameter, "\($0)")] } ?? []
        return .parameters([QueryParameter(offsetParameter, "\(offset)")] + wanted)
    }
}
