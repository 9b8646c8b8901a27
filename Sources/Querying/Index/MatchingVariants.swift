internal import Decoding
package import JSON
package import Products

/// Reduces products to the variants that pass all filters of a query by members of variants.
///
/// Each variant is compared by itself, while a filter passes a product if any of its variants does. The variants of a key
/// that the product itself has stay.
package struct MatchingVariants: Sendable {
    private struct Filter: Sendable {
        let comparison: DeclaredParameter.Comparison
        let reader: AttributeReader
        /// The texts of the wanted values as they are compared.
        let wanted: Set<[UInt8]>
        let isKey: Bool

        /// Whether a value satisfies the filter.
        func counts(_ text: [UInt8]) -> Bool {
            switch comparison {
            case .isKey, .isAny, .isNone: wanted.contains(text)
            case .isAtLeast: wanted.allSatisfy { !reader.precedes(text[...], $0[...]) }
            case .isAtMost: wanted.allSatisfy { !reader.precedes($0[...], text[...]) }
            }
        }
    }

    private let filters: [Filter]
    /// Finds the members of a product, by the numbers of the filters.
    private let scan: MemberScan
    private let catalogue: Catalogue

    /// Nil if the query wants all variants, or has no filter by their members.
    package init?(_ query: ProductsQuery, _ members: FindableMembers, of catalogue: Catalogue) {
        guard query.variants == .matching else { return nil }
        var (filters, paths): ([Filter], [[ItemPath]]) = ([], [])
        for (parameter, values) in query.declared {
            let own = members.paths(of: parameter.member)
            guard own.contains(where: \.isOfVariants) else { continue }
            let reader = AttributeReader(parameter.memberForm ?? .exactText)
            filters.append(
                Filter(
                    comparison: parameter.comparison, reader: reader,
                    wanted: Set(values.map { reader.compared($0.text) }), isKey: parameter.memberForm == nil))
            paths.append(own)
        }
        guard !filters.isEmpty else { return nil }
        (self.filters, scan, self.catalogue) = (filters, MemberScan(paths), catalogue)
    }

    /// Appends the JSON object of a product without the variants that do not match.
    /// - Parameters:
    ///   - product: a form of the product, whose texts may be in another language.
    ///   - position: the position of the product in the catalogue, by whose members filters decide.
    /// - Throws: `JSONSyntaxError` if the product is not an object.
    package func append(
        _ product: ArraySlice<UInt8>, at position: Int, to bytes: inout [UInt8]
    ) throws(JSONSyntaxError) {
        let whole = Array(product)
        let list = try JSONParser(depthLimit: Catalogue.depthLimit).parseMemberRanges(whole)
            .first { $0.key == SoldVariants.name }?.range
        guard let list, whole[list.lowerBound] == UInt8(ascii: "[") else {
            bytes += whole
            return
        }
        let variants = CanonicalReader.elements(whole, list)
        bytes += whole[..<list.lowerBound]
        bytes.append(UInt8(ascii: "["))
        var separator: UInt8?
        for (variant, isMatching) in zip(variants, matching(at: position, count: variants.count)) where isMatching {
            if let separator { bytes.append(separator) }
            separator = UInt8(ascii: ",")
            bytes += whole[variant]
        }
        bytes.append(UInt8(ascii: "]"))
        bytes += whole[list.upperBound...]
    }

    /// Whether each variant of the product passes all filters.
    private func matching(at position: Int, count: Int) -> [Bool] {
        // By filters: the variants with a value that counts, and whether the product itself has one.
        var found = Array(repeating: Array(repeating: false, count: count), count: filters.count)
        var isOfProduct = Array(repeating: false, count: filters.count)
        let product = catalogue.text(at: position)
        scan.scan(product.encoded, product.range) { bytes, value in
            let filter = filters[value.member]
            guard let text = filter.reader.compared(bytes, value.range), filter.counts(text) else { return }
            if value.variant < 0 {
                isOfProduct[value.member] = true
            } else if value.variant < count {
                found[value.member][Int(value.variant)] = true
            }
        }
        return (0..<count).map { variant in
            filters.indices.allSatisfy { number in
                if filters[number].isKey, isOfProduct[number] { return true }
                return found[number][variant] != (filters[number].comparison == .isNone)
            }
        }
    }
}
