internal import Decoding
package import JSON
internal import Products

/// Reduces a product to the variants that pass all filters of a query by members of variants.
///
/// Each variant is compared by itself, while a filter passes a product if any of its variants does.
package struct MatchingVariants: Sendable {
    private struct Filter: Sendable {
        let parameter: DeclaredParameter
        let values: Set<ExactText>
    }

    private let filters: [Filter]
    /// Finds the members of one variant, by the numbers of the filters.
    private let scan: MemberScan

    /// Nil if the query wants all variants, or has no filter by their members.
    package init?(_ query: ProductsQuery, _ members: FindableMembers) {
        guard query.variants == .matching else { return nil }
        var (filters, paths): ([Filter], [[ItemPath]]) = ([], [])
        for (parameter, values) in query.declared {
            let own = members.paths(of: parameter.member).filter(\.isOfVariants)
            guard !own.isEmpty else { continue }
            filters.append(Filter(parameter: parameter, values: values))
            paths.append(own.map { ItemPath(Array($0.steps.dropFirst(2))) })
        }
        guard !filters.isEmpty else { return nil }
        (self.filters, scan) = (filters, MemberScan(paths))
    }

    /// Appends the JSON object of a product without the variants that do not match.
    /// - Throws: `JSONSyntaxError` if the product is not an object.
    package func append(_ product: ArraySlice<UInt8>, to bytes: inout [UInt8]) throws(JSONSyntaxError) {
        let whole = Array(product)
        guard let list = try JSONParser().parseMemberRanges(whole).first(where: { $0.key == SoldVariants.name })?.range,
            whole[list.lowerBound] == UInt8(ascii: "[")
        else {
            bytes += whole
            return
        }
        bytes += whole[..<list.lowerBound]
        let matching = CanonicalReader.elements(whole, list).filter { passes(whole, $0) }
        bytes.append(UInt8(ascii: "["))
        for (index, variant) in matching.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += whole[variant]
        }
        bytes.append(UInt8(ascii: "]"))
        bytes += whole[list.upperBound...]
    }

    private func passes(_ encoded: [UInt8], _ variant: Range<Int>) -> Bool {
        var found: [[ArraySlice<UInt8>]] = Array(repeating: [], count: filters.count)
        scan.scan(encoded, variant) { value in
            let form = filters[value.member].parameter.memberForm ?? .exactText
            let text = AttributeBuilder(form).compared(value.bytes, value.range)
            if let text { found[value.member].append(text) }
        }
        return zip(filters, found).allSatisfy { filter, texts in
            filter.parameter.passes(texts, filter.values)
        }
    }
}

extension DeclaredParameter {
    /// Whether some values of an attribute pass the filter with these wanted ones.
    fileprivate func passes(_ texts: [ArraySlice<UInt8>], _ wanted: Set<ExactText>) -> Bool {
        let form = memberForm ?? .exactText
        func isAny(_ text: ArraySlice<UInt8>) -> Bool {
            wanted.contains { AttributeBuilder.compared($0.text, form).elementsEqual(text) }
        }
        func isWithin(_ text: ArraySlice<UInt8>) -> Bool {
            wanted.allSatisfy { bound in
                let bound = Array(bound.text.utf8)[...]
                let (low, high) = comparison == .isAtLeast ? (bound, text) : (text, bound)
                return !AttributeBuilder.precedes(high, low, form)
            }
        }
        switch comparison {
        case .isKey, .isAny: return texts.contains(where: isAny)
        case .isNone: return !texts.contains(where: isAny)
        case .isAtLeast, .isAtMost: return texts.contains(where: isWithin)
        }
    }
}
