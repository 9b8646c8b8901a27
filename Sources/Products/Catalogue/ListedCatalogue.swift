/// The JSON array of a catalogue's products in which each product, also within another one, is marked as popular or
/// not.
///
/// One member is inserted into each product's bytes, which avoids a second encoding and keeps all digits.
package struct ListedCatalogue: Sendable {
    /// Numbers the form of the bytes, as a part of their entity tag: another form has another tag for the same
    /// products.
    package static let form = 2

    /// The products, in the order of the catalogue.
    package let array: EncodedArray
    package let marks: PopularityMarks

    /// - Parameters:
    ///   - rule: names the marks.
    ///   - isPopular: decides by the sales of a product; called once for each.
    init(_ catalogue: Catalogue, by rule: PopularityRule, isPopular: (_ sales: Int) -> Bool) {
        let writer = MarkWriter(encoded: catalogue.encoded)
        let capacity = catalogue.encoded.count + catalogue.count * MarkWriter.longest + 2
        var array = EncodedArray(capacity: capacity, count: catalogue.count)
        var marks: [Bool] = []
        marks.reserveCapacity(catalogue.count)
        for range in catalogue.ranges {
            let mark = array.append { writer.append(range, to: &$0, isPopular: isPopular) }
            marks.append(mark ?? false)
        }
        array.close()
        self.array = array
        self.marks = PopularityMarks(isPopular: marks, rule: rule)
    }
}

/// The popular products of a catalogue, by the rule of ``ProductsUseCase``.
package struct PopularityMarks: Sendable {
    /// Whether each product is popular, in the order of the catalogue.
    package let isPopular: [Bool]
    package let rule: PopularityRule
}

/// Copies products from the canonical encoding of a catalogue, and marks them and the products within them.
private struct MarkWriter {
    /// The most bytes that a mark takes.
    static let longest = unpopular.count
    private static let popular = Array(#","\#(ProductMember.isPopular)":true}"#.utf8)
    private static let unpopular = Array(#","\#(ProductMember.isPopular)":false}"#.utf8)

    let encoded: [UInt8]

    /// Appends the product whose object is at a range, its mark as the last member.
    /// - Returns: the mark.
    func append(_ range: Range<Int>, to bytes: inout [UInt8], isPopular: (Int) -> Bool) -> Bool? {
        let product = ProductText(encoded, range)
        var copied = range.lowerBound
        for place in product.contentRanges where place.lowerBound >= copied {
            bytes.append(encoded.span, copied..<place.lowerBound)
            _ = append(place, to: &bytes, isPopular: isPopular)
            copied = place.upperBound
        }
        bytes.append(encoded.span, copied..<max(copied, range.upperBound - 1))
        let mark = isPopular(product.sales)
        bytes.append(contentsOf: mark ? Self.popular : Self.unpopular)
        return mark
    }
}

/// The bound of the business rule for popular products, which ``ProductsUseCase`` applies.
public struct PopularityRule: Sendable, Hashable {
    /// A popular product has more sales.
    package let salesOver: Int

    package init(salesOver: Int = 100) {
        self.salesOver = salesOver
    }
}
