public import Configuration

/// Pages that are asked for by the number of items before them.
///
/// The next page begins after as many items as have come, not as were wanted, since many upstreams give fewer. The last
/// page is the one with which the total is reached or, where no total is told, one that is empty or shorter than full
/// ones before it.
public struct OffsetPagination: Pagination {
    /// `type: offset` in the `paginations:` section.
    public static let spec = ComponentSpec<PaginationFamily>(
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

    /// The most pages that are read.
    public let maxPages: Int
    private let offsetParameter: String
    private let limitParameter: String
    private let limit: Int?
    private let total: ResponseField?

    /// Creates a pagination.
    ///
    /// - Parameters:
    ///   - limit: how many items are wanted on a page; nil to leave that to the upstream.
    ///   - total: where a response tells how many items there are in all.
    public init(
        offsetParameter: String = "offset", limitParameter: String = "limit", limit: Int? = nil,
        total: ResponseField? = nil, maxPages: Int = 1000
    ) {
        self.offsetParameter = offsetParameter
        self.limitParameter = limitParameter
        self.limit = limit
        self.total = total
        self.maxPages = maxPages
    }

    /// False.
    public var isSingle: Bool { false }

    /// The page with nothing before it.
    public var first: PageRequest { request(0) }

    /// The total, where the config says where to find it.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page))
    }

    /// The page that begins after all items so far.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
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
