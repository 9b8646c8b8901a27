public import Configuration

/// The `paginations:` section: ways in which upstreams divide collections into pages.
public enum PaginationFamily: ComponentFamily {
    /// A pagination.
    public typealias Instance = any Pagination
    /// One of them in messages.
    public static let noun = "pagination"
    /// Where they are labelled.
    public static let section = "paginations"
    /// A pagination is nothing but its settings.
    public static let isTakenOver = false

    /// Every pagination a config file can name.
    public static let specs: [ComponentSpec<PaginationFamily>] = [
        SinglePagination.spec, NumberedPagination.spec, OffsetPagination.spec, CursorPagination.spec,
        LinkPagination.spec, SincePagination.spec,
    ]

    /// Used as it was made.
    public static func adopt(_ instance: any Pagination, as outline: ComponentOutline, in assembly: Assembly)
        -> any Pagination
    {
        instance
    }
}
