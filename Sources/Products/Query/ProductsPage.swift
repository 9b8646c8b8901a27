public import JSON

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

    /// The JSON array of the page's products, cut from that of all.
    ///
    /// A page of thousands of products takes milliseconds when members are chosen: make it off the event loops, once
    /// for each revision and query.
    /// - Parameters:
    ///   - bytes: the array of all products, as a ``ListedCatalogue`` or a ``DisplayedCatalogue`` has it.
    ///   - ranges: where each product of the catalogue, braces included, stands in `bytes`.
    ///   - fields: the members that are wanted; nil for all.
    /// - Throws: `JSONSyntaxError` when a range holds no object.
    public func array(
        of bytes: [UInt8], ranges: [Range<Int>], fields: ProductFields? = nil
    ) throws(JSONSyntaxError) -> [UInt8] {
        var array: [UInt8] = []
        array.reserveCapacity(fields == nil ? positions.reduce(2) { $0 + ranges[$1].count + 1 } : 0)
        try append(to: &array, fields: fields) { $1.append(contentsOf: bytes[ranges[$0]]) }
        return array
    }

    /// Appends the JSON array of the page's products, wherever these are.
    /// - Parameters:
    ///   - array: where it goes.
    ///   - fields: the members that are wanted; nil for all.
    ///   - appendProduct: appends the JSON object of the product at a position of the catalogue.
    /// - Throws: `JSONSyntaxError` when it appended no object although members are chosen.
    public func append(
        to array: inout [UInt8], fields: ProductFields? = nil, appendProduct: (Int, inout [UInt8]) -> Void
    ) throws(JSONSyntaxError) {
        array.append(UInt8(ascii: "["))
        var product: [UInt8] = []
        for (index, position) in positions.enumerated() {
            if index > 0 { array.append(UInt8(ascii: ",")) }
            if let fields {
                product.removeAll(keepingCapacity: true)
                appendProduct(position, &product)
                try fields.append(product[...], to: &array)
            } else {
                appendProduct(position, &array)
            }
        }
        array.append(UInt8(ascii: "]"))
    }
}
