/// How large a collection is, as one of its pages says.
public struct CollectionExtent: Sendable, Hashable {
    /// How many items there are on all pages; nil when the pages do not tell.
    public var total: Int?
    /// How many pages there are; nil when they do not tell.
    public var pages: Int?

    /// Creates an extent.
    public init(total: Int? = nil, pages: Int? = nil) {
        self.total = total
        self.pages = pages
    }
}
