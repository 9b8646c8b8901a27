package import JSON

/// One page of the products that a query finds.
package struct ProductsPage: Sendable, Hashable {
    /// The positions in the catalogue, in the order of the page.
    package let positions: [Int]
    /// The number of products that pass the filters, on all pages.
    package let total: Int
    /// The beginning of the next page; nil on the last.
    package let next: PageCursor?

    package init(positions: [Int], total: Int, next: PageCursor? = nil) {
        self.positions = positions
        self.total = total
        self.next = next
    }

    /// Appends the JSON array of the page's products. With `fields`, a page of thousands takes milliseconds: make it off
    /// the event loops, once for each revision and query.
    /// - Parameters:
    ///   - fields: the members to keep; nil for all.
    ///   - appendProduct: appends the JSON object of the product at a position of the catalogue.
    /// - Throws: `JSONSyntaxError` when members are chosen from something else than an object.
    package func append(
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
