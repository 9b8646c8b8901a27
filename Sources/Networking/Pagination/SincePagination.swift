public import Configuration
public import JSON

/// Pages of which each one asks for what is newer than the last item of the one before, until an empty one.
///
/// The upstream must sort by that field, oldest first, and leave out the item that was asked with.
public struct SincePagination: Pagination {
    /// `type: since` in the `paginations:` section.
    public static let spec = ComponentSpec<PaginationFamily>(
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

    /// The most pages that are read.
    public let maxPages: Int
    private let parameter: String
    private let field: JSONPath

    /// Creates a pagination.
    ///
    /// - Parameter field: the way to the value within an item; it must lead to a text or number.
    public init(parameter: String, field: JSONPath, maxPages: Int = 1000) {
        self.parameter = parameter
        self.field = field
        self.maxPages = maxPages
    }

    /// False.
    public var isSingle: Bool { false }

    /// The collection from its beginning.
    public var first: PageRequest { .parameters([]) }

    /// Says nothing.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    /// What is newer than the page's last item.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
        guard let last = page.items.last else { return nil }
        guard let value = last[field]?.plainText, !value.isEmpty else {
            let found = last[field]?.excerpt ?? "nothing"
            throw .unreadableItem(field, index: page.items.count - 1, found: found, page: page.number)
        }
        return .parameters([QueryParameter(parameter, value)])
    }
}
