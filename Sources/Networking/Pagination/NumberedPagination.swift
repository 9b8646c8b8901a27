internal import Configuration

/// Pages that are requested by number.
///
/// The last page has the number that the upstream states as their count, or reaches the stated total. Without either, it
/// is empty, or shorter than full ones before it.
struct NumberedPagination: Pagination {
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
            return { _ in pagination }
        })

    var parameter = "page"
    /// Sent with `size`; nil if the upstream takes none.
    var sizeParameter: String?
    /// The items of a full page; nil when unknown.
    var size: Int?
    var firstNumber = 1
    /// The place of the number of pages in a response.
    var pages: ResponseField?
    /// The place of the number of all items in a response.
    var total: ResponseField?
    var maxPages = 1000

    var first: PageRequest { request(firstNumber) }

    func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page), pages: try pages?.count(in: page))
    }

    func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest? {
        isLast(page, progress) ? nil : request(firstNumber + page.number)
    }

    private func isLast(_ page: CollectionPage, _ progress: CollectionProgress) -> Bool {
        if let pages = progress.extent.pages { return page.number >= pages }
        if let total = progress.extent.total { return progress.itemCount >= total || page.items.isEmpty }
        return progress.isLast(page, size: size)
    }

    private func request(_ number: Int) -> PageRequest {
        let wanted = sizeParameter.flatMap { name in size.map { QueryParameter(name, "\($0)") } }
        return .parameters([QueryParameter(parameter, "\(number)")] + (wanted.map { [$0] } ?? []))
    }
}
