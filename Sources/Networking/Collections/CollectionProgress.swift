/// How far the reading of a collection has come, the page just read included.
public struct CollectionProgress: Sendable, Hashable {
    /// As every page so far has said it.
    public var extent = CollectionExtent()
    /// On all pages so far.
    public var itemCount = 0
    /// The most items on one page so far.
    public var largestPage = 0

    /// The progress of a reading that has not begun.
    public init() {}

    /// Whether a page with so few items is the last one, of pages that are asked for by this size.
    ///
    /// Only a page that was full proves that the upstream goes by the size that it was asked for. One that gives less
    /// than that on every page would otherwise lose all but its first.
    func isLast(_ page: CollectionPage, size: Int?) -> Bool {
        if page.items.isEmpty { return true }
        guard let size else { return false }
        return largestPage >= size && page.items.count < size
    }
}
