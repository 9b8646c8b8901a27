internal import JSON
internal import Text

/// The JSON array of a catalogue's products in which each product, also within another one, is marked as popular or
/// not.
///
/// One member is inserted into each product's bytes, which avoids a second encoding and keeps all digits.
package struct ListedCatalogue: Sendable {
    /// Numbers the form of the bytes, as a part of their entity tag: another form, also of ``LocalizedCatalogue``, has
    /// another tag for the same products.
    package static let form = 2

    /// The document with the products, in the order of the catalogue.
    package let array: EncodedArray
    package let marks: PopularityMarks

    /// - Parameters:
    ///   - rule: names the marks.
    ///   - earlier: an earlier listing, from which unchanged products are copied.
    ///   - isPopular: decides by the sales of a product; called once for each.
    init(
        _ catalogue: Catalogue, by rule: PopularityRule, after earlier: EarlierListing? = nil,
        isPopular: (_ sales: Int) -> Bool
    ) {
        let writer = MarkWriter(encoded: catalogue.encoded)
        let capacity = catalogue.encoded.count + catalogue.count * MarkWriter.longest
        var array = EncodedArray(documentOf: catalogue.count, capacity: capacity)
        var marks = Array(repeating: false, count: catalogue.count)
        func mark(_ position: Int) {
            let mark = array.append { writer.append(catalogue.ranges[position], to: &$0, isPopular: isPopular) }
            marks[position] = mark ?? false
        }
        if let earlier, let changed = earlier.positions(changedIn: catalogue, by: rule) {
            marks = earlier.marks.isPopular
            var next = 0
            for position in changed {
                array.append(next..<position, of: earlier.ranges, by: earlier.copy)
                mark(position)
                next = position + 1
            }
            array.append(next..<catalogue.count, of: earlier.ranges, by: earlier.copy)
        } else {
            for position in 0..<catalogue.count { mark(position) }
        }
        array.closeDocument()
        self.array = array
        self.marks = PopularityMarks(isPopular: marks, rule: rule)
    }
}

/// The listing of an earlier catalogue.
package struct EarlierListing {
    private let catalogue: Catalogue
    fileprivate let marks: PopularityMarks
    fileprivate let ranges: ProductRanges
    fileprivate let copy: (Range<Int>, inout [UInt8]) -> Void

    /// - Parameters:
    ///   - ranges: the places of its products.
    ///   - copy: appends the bytes at such places.
    package init(
        of catalogue: Catalogue, _ marks: PopularityMarks, at ranges: ProductRanges,
        by copy: @escaping (Range<Int>, inout [UInt8]) -> Void
    ) {
        (self.catalogue, self.marks, self.ranges, self.copy) = (catalogue, marks, ranges, copy)
    }

    /// The positions of the products that differ in a later catalogue with the same ids in the same order; nil if it is none,
    /// or if most differ.
    fileprivate func positions(changedIn later: Catalogue, by rule: PopularityRule) -> [Int]? {
        guard let changes = later.changes, changes.revision == catalogue.revision, marks.rule == rule,
            later.hasIDs(of: catalogue), changes.positions.count < later.count / 2
        else { return nil }
        return changes.positions
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

/// The texts of a product in other languages than its own, in the attribute `localized`, by member and language.
package enum LocalizedTexts {
    /// The name of the attribute.
    package static let name = "localized"
    /// The members of products and variants that are no texts for people.
    private static let others: Set<String> = {
        let known = ProductDetails.members + SoldVariants.members + ProductKind.allCases.flatMap(\.members)
        let texts: Set = [
            ProductMember.name, ProductMember.description, ProductMember.imageURL, ProductMember.category,
        ]
        return Set(known.map(\.name)).subtracting(texts.union(["image"]))
            .union([ProductMember.type, SoldVariants.name, SoldVariants.range, name])
    }()

    /// Whether a member can differ by language: a text for people, or an attribute.
    package static func isText(_ member: String) -> Bool { !others.contains(member) }
}

/// The JSON array of a catalogue's products with their texts in one language, as far as ``LocalizedTexts`` has them. It lacks
/// that attribute itself.
package struct LocalizedCatalogue: Sendable {
    /// The document with the products, in the order of the catalogue.
    package let array: EncodedArray

    /// Encodes products; takes milliseconds for each thousand.
    /// - Parameter appendProduct: appends the JSON object of the product at a position.
    package init(count: Int, in language: String, appendProduct: (Int, inout [UInt8]) -> Void) {
        let writer = LocalizedWriter(languages: LanguageRanges([language]))
        var array = EncodedArray(documentOf: count)
        var product: [UInt8] = []
        for position in 0..<count {
            product.removeAll(keepingCapacity: true)
            appendProduct(position, &product)
            _ = array.append { writer.append(product, to: &$0) as Void? }
        }
        array.closeDocument()
        self.array = array
    }

    /// The products, each made on access.
    package var products: EncodedProducts { EncodedProducts(array) }
}

/// Copies products, and those and the variants within them, with texts in one language.
private struct LocalizedWriter {
    private static let name = Array(#""\#(LocalizedTexts.name)""#.utf8)
    private static let inner: Set = [SoldVariants.name, ProductMember.products, ProductMember.addOn]

    let languages: LanguageRanges?

    func append(_ product: [UInt8], to bytes: inout [UInt8]) {
        guard product.holds(Self.name, before: UInt8(ascii: ":")),
            let object = (try? JSONParser(depthLimit: Catalogue.depthLimit).parse(product))?.object
        else { return bytes.append(contentsOf: product) }
        JSONWriter.append(.object(localized(object)), to: &bytes)
    }

    private func localized(_ object: JSONObject) -> JSONObject {
        let texts = object[LocalizedTexts.name]?.object
        var copy = JSONObject(minimumCapacity: object.count)
        for member in object.members where texts == nil || member.key != LocalizedTexts.name {
            copy[member.key] = text(of: member.key, in: texts) ?? inner(member)
        }
        for member in texts?.members ?? [] where object[member.key] == nil {
            copy[member.key] = text(of: member.key, in: texts)
        }
        return copy
    }

    private func inner(_ member: JSONMember) -> JSONValue {
        guard Self.inner.contains(member.key) else { return member.value }
        switch member.value {
        case .object(let object): return .object(localized(object))
        case .array(let elements):
            return .array(elements.map { element in element.object.map { .object(localized($0)) } ?? element })
        case .null, .bool, .number, .string: return member.value
        }
    }

    /// The value of a member in the language; nil for none, and for one that would make another member of it.
    private func text(of member: String, in texts: JSONObject?) -> JSONValue? {
        guard LocalizedTexts.isText(member), let values = texts?[member]?.object?.members,
            let value = languages?.first(of: values, by: \.key)?.value
        else { return nil }
        switch member {
        case ProductMember.category: return ProductCategories(value) == nil ? nil : value
        case ProductMember.name, ProductMember.description, ProductMember.imageURL:
            return value.string.map { .string($0) }
        default: return value.isNull ? nil : value
        }
    }
}
