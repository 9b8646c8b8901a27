public import Configuration

/// Pages that are asked for by number.
///
/// The last page is the one whose number the upstream names as their count, or with which its total is reached, or,
/// where it tells neither, one that is empty or shorter than full ones before it.
public struct NumberedPagination: Pagination {
    /// `type: page` in the `paginations:` section.
    public static let spec = ComponentSpec<PaginationFamily>(
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

    /// The most pages that are read.
    public let maxPages: Int
    private let parameter: String
    private let sizeParameter: String?
    private let size: Int?
    private let firstNumber: Int
    private let pages: ResponseField?
    private let total: ResponseField?

    /// Creates a pagination.
    ///
    /// - Parameters:
    ///   - sizeParameter: sent with `size`; nil where the upstream cannot be told.
    ///   - size: how many items a full page has; nil when that is not known.
    ///   - firstNumber: what the upstream calls its first page.
    ///   - pages: where a response tells how many pages there are.
    ///   - total: where a response tells how many items there are in all.
    public init(
        parameter: String = "page", sizeParameter: String? = nil, size: Int? = nil, firstNumber: Int = 1,
        pages: ResponseField? = nil, total: ResponseField? = nil, maxPages: Int = 1000
    ) {
        self.parameter = parameter
        self.sizeParameter = sizeParameter
        self.size = size
        self.firstNumber = firstNumber
        self.pages = pages
        self.total = total
        self.maxPages = maxPages
    }

    /// False.
    public var isSingle: Bool { false }

    /// The page with the first number.
    public var first: PageRequest { request(firstNumber) }

    /// The counts that the config says where to find.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page), pages: try pages?.count(in: page))
    }

    /// The page with the next number.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
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
