/// What a query found in a catalogue: one page of it.
public struct ProductsPage: Sendable, Hashable {
    /// Where the page's products stand in the catalogue, in the order of the page.
    public let positions: [Int]
    /// How many products pass the query's filters, on all pages together.
    public let total: Int
    /// Where the next page begins; nil when this one is the last.
    public let next: PageCursor?

    /// A page.
    public init(positions: [Int], total: Int, next: PageCursor? = nil) {
        self.positions = positions
        self.total = total
        self.next = next
    }
}
