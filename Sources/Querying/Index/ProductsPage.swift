package import JSON

/// One page of the products that match a query.
package struct ProductsPage: Sendable, Hashable {
    /// The positions in the catalogue, in the order of the page.
    package let positions: [Int]
    /// The number of products that pass the filters, on all pages.
    package let total: Int
    /// The beginning of the next page; nil on the last.
    package let next: PageCursor?
    /// The counted values of the wanted members, in their order.
    package var facets: [FacetCounts] = []
    /// The variant of the only product that a declared key found; nil if the product itself has the key.
    package var variant: String?

    /// Appends the members that stand behind the products: `total`, and `variant`, `facets` and `next` if there are any.
    package func appendSummary(to bytes: inout [UInt8]) {
        bytes += Array(",\"total\":\(total)".utf8)
        if let variant {
            bytes += Array(",\"variant\":".utf8)
            JSONWriter.append(.string(variant), to: &bytes)
        }
        if !facets.isEmpty { appendFacets(to: &bytes) }
        // A cursor needs no escapes.
        if let next { bytes += Array(",\"next\":\"\(next.text)\"".utf8) }
    }

    private func appendFacets(to bytes: inout [UInt8]) {
        bytes += Array(",\"facets\":{".utf8)
        for (index, facet) in facets.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(.string(facet.name), to: &bytes)
            bytes += Array(":[".utf8)
            for (index, counted) in facet.values.enumerated() {
                bytes += Array((index > 0 ? ",{\"value\":" : "{\"value\":").utf8)
                bytes += counted.value
                bytes += Array(",\"count\":\(counted.count)}".utf8)
            }
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the JSON array of the page's products. With `fields`, a page of thousands takes milliseconds: make it
    /// off the event loops, once for each revision and query.
    /// - Parameters:
    ///   - form: the parts of each product to keep.
    ///   - appendProduct: appends the JSON object of the product at a position of the catalogue.
    /// - Throws: `JSONSyntaxError` if a product is not an object.
    package func append(
        to array: inout [UInt8], form: ProductProjection = ProductProjection(),
        appendProduct: (Int, inout [UInt8]) -> Void
    ) throws(JSONSyntaxError) {
        array.append(UInt8(ascii: "["))
        var product: [UInt8] = []
        for (index, position) in positions.enumerated() {
            if index > 0 { array.append(UInt8(ascii: ",")) }
            if !form.isWhole {
                product.removeAll(keepingCapacity: true)
                appendProduct(position, &product)
                try form.append(product[...], at: position, to: &array)
            } else {
                appendProduct(position, &array)
            }
        }
        array.append(UInt8(ascii: "]"))
    }
}

/// The parts of products that a query wants.
package struct ProductProjection: Sendable {
    /// The wanted members; nil for all.
    package var fields: ProductFields?
    /// The wanted variants; nil for all.
    package var variants: MatchingVariants?

    package init(fields: ProductFields? = nil, variants: MatchingVariants? = nil) {
        (self.fields, self.variants) = (fields, variants)
    }

    package var isWhole: Bool { fields == nil && variants == nil }

    /// Appends these parts of the JSON object of the product at a position of the catalogue.
    /// - Throws: `JSONSyntaxError` when it is no object.
    package func append(
        _ product: ArraySlice<UInt8>, at position: Int, to bytes: inout [UInt8]
    ) throws(JSONSyntaxError) {
        guard let variants else {
            if let fields { try fields.append(product, to: &bytes) } else { bytes += product }
            return
        }
        guard let fields else { return try variants.append(product, at: position, to: &bytes) }
        var cut: [UInt8] = []
        try variants.append(product, at: position, to: &cut)
        try fields.append(cut[...], to: &bytes)
    }
}

/// The values of one member with the number of products of each.
package struct FacetCounts: Sendable, Hashable {
    package let name: String
    /// The most frequent value first; equal ones in the order of the values.
    package let values: [FacetCount]
}

/// A value of a member and the number of products with it.
package struct FacetCount: Sendable, Hashable {
    /// The value as JSON.
    package let value: [UInt8]
    package let count: Int

    init(_ value: ArraySlice<UInt8>, _ count: Int) {
        (self.value, self.count) = (Array(value), count)
    }

    init(_ value: JSONValue, _ count: Int) {
        self.init(value.encoded()[...], count)
    }
}
