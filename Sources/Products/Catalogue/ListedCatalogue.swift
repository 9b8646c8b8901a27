internal import JSON

/// The JSON array of a catalogue's products in which each product, also within another, says whether it is popular.
///
/// One member is inserted into each product's bytes, which saves a second encoding and keeps all digits.
package struct ListedCatalogue: Sendable {
    /// Numbers the form of the bytes, as a part of their entity tag: another form has another tag for the same products.
    package static let form = 2

    /// The array, brackets included.
    package let bytes: [UInt8]
    /// The range of each product, braces included, in `bytes`; in the order of the catalogue.
    package let ranges: [Range<Int>]
    package let marks: PopularityMarks

    /// - Parameters:
    ///   - rule: names the marks.
    ///   - isPopular: decides the mark of a product; called once for each.
    init(_ catalogue: Catalogue, by rule: PopularityRule, isPopular: @escaping (any Product) -> Bool) {
        let writer = MarkWriter(encoded: catalogue.encoded, isPopular: isPopular)
        var marks: [Bool] = []
        marks.reserveCapacity(catalogue.products.count)
        let capacity = catalogue.encoded.count + catalogue.products.count * MarkWriter.longest + 2
        let array = EncodedArray(catalogue.products, capacity: capacity) { position, product, bytes in
            marks.append(writer.append(product, catalogue.ranges[position], to: &bytes))
        }
        (bytes, ranges) = (array.bytes, array.ranges)
        self.marks = PopularityMarks(isPopular: marks, rule: rule)
    }
}

/// The popular products of a catalogue, by the rule of ``ProductsUseCase``.
package struct PopularityMarks: Sendable {
    /// Whether each product is popular, in the order of the catalogue.
    let isPopular: [Bool]
    package let rule: PopularityRule
}

/// Copies products from the canonical encoding of a catalogue, and marks them and the products within them.
private struct MarkWriter {
    /// The most bytes that a mark takes.
    static let longest = unpopular.count
    private static let popular = Array(#","\#(ProductMember.isPopular)":true}"#.utf8)
    private static let unpopular = Array(#","\#(ProductMember.isPopular)":false}"#.utf8)

    let encoded: [UInt8]
    let isPopular: (any Product) -> Bool

    /// Appends the product whose object is at a range, its mark as the last member.
    /// - Returns: the mark.
    @discardableResult
    func append(_ product: any Product, _ range: Range<Int>, to bytes: inout [UInt8]) -> Bool {
        var copied = range.lowerBound
        for (inner, place) in product.contents.map({ places(of: $0, in: range) }) ?? [] {
            bytes.append(contentsOf: encoded[copied..<place.lowerBound])
            append(inner, place, to: &bytes)
            copied = place.upperBound
        }
        bytes.append(contentsOf: encoded[copied..<(range.upperBound - 1)])
        let mark = isPopular(product)
        bytes.append(contentsOf: mark ? Self.popular : Self.unpopular)
        return mark
    }

    /// The products that an object holds, each with the range of its own object, in their order in the encoding.
    private func places(of contents: ProductContents, in range: Range<Int>) -> [(any Product, Range<Int>)] {
        do {
            var places: [(any Product, Range<Int>)] = []
            for member in try JSONParser().parseMemberRanges(encoded, in: range) {
                if member.key == ProductMember.products {
                    places += zip(contents.products, try JSONParser().parseElementRanges(encoded, in: member.range))
                } else if member.key == ProductMember.addOn, let addOn = contents.addOn {
                    places.append((addOn, member.range))
                }
            }
            return places
        } catch {
            preconditionFailure("a catalogue's encoding is an array of objects: \(error)")
        }
    }
}
