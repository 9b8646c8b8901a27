internal import FoundationEssentials
internal import Hashing
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
        to array: inout [UInt8], form: ProductForm = ProductForm(), appendProduct: (Int, inout [UInt8]) -> Void
    ) throws(JSONSyntaxError) {
        array.append(UInt8(ascii: "["))
        var product: [UInt8] = []
        for (index, position) in positions.enumerated() {
            if index > 0 { array.append(UInt8(ascii: ",")) }
            if !form.isWhole {
                product.removeAll(keepingCapacity: true)
                appendProduct(position, &product)
                try form.append(product[...], to: &array)
            } else {
                appendProduct(position, &array)
            }
        }
        array.append(UInt8(ascii: "]"))
    }
}

/// The parts of products that a query wants.
package struct ProductForm: Sendable {
    /// The wanted members; nil for all.
    package var fields: ProductFields?
    /// The wanted variants; nil for all.
    package var variants: MatchingVariants?

    package init(fields: ProductFields? = nil, variants: MatchingVariants? = nil) {
        (self.fields, self.variants) = (fields, variants)
    }

    package var isWhole: Bool { fields == nil && variants == nil }

    /// Appends these parts of the JSON object of a product.
    /// - Throws: `JSONSyntaxError` when it is no object.
    package func append(_ product: ArraySlice<UInt8>, to bytes: inout [UInt8]) throws(JSONSyntaxError) {
        guard let variants else {
            if let fields { try fields.append(product, to: &bytes) } else { bytes += product }
            return
        }
        guard let fields else { return try variants.append(product, to: &bytes) }
        var cut: [UInt8] = []
        try variants.append(product, to: &cut)
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

/// The beginning of a page, bound to a query and a revision: the opaque text of `next` and of the parameter `cursor`.
///
/// The text is not secret and grants nothing: a forged one leads to public products. The check digits distinguish a
/// damaged cursor from an outdated one.
package struct PageCursor: Sendable, Hashable {
    /// The length of every cursor's text.
    package static let textLength = byteCount / 3 * 4
    /// The number of products on the pages before.
    package let skipped: Int
    private let revision: UInt64
    private let query: UInt64

    private static let format: UInt8 = 1
    private static let byteCount = 27
    private static let checked = 23
    private static let skippedBits: UInt64 = 48

    /// Creates a cursor.
    /// - Parameter revision: see ``CatalogueIndex/revision``.
    package init(skipping skipped: Int, of query: ProductsQuery, revision: String) {
        self.skipped = min(max(0, skipped), 1 << Self.skippedBits - 1)
        self.revision = Self.hash(revision)
        self.query = query.fingerprint
    }

    /// Parses any text.
    /// - Throws: `malformed`.
    package init(text: String) throws(PageCursorProblem) {
        guard let bytes = Self.bytes(text), bytes[0] == Self.format,
            bytes[Self.checked...].elementsEqual(Self.check(bytes[..<Self.checked]))
        else { throw .malformed }
        revision = Self.number(bytes[1..<9])
        query = Self.number(bytes[9..<17])
        skipped = Int(Self.number(bytes[17..<Self.checked]))
    }

    /// Checks the cursor and returns the number of products to skip.
    /// - Throws: `ofAnotherQuery`, or else `ofAnotherRevision`, when the cursor is not from a page of these.
    package func position(in query: ProductsQuery, revision: String) throws(PageCursorProblem) -> Int {
        guard self.query == query.fingerprint else { throw .ofAnotherQuery }
        guard self.revision == Self.hash(revision) else { throw .ofAnotherRevision }
        return skipped
    }

    /// The cursor in a query: 36 letters, digits, `-` and `_`.
    package var text: String {
        var bytes = [Self.format]
        bytes += Self.bigEndian(revision) + Self.bigEndian(query)
        bytes += Self.bigEndian(UInt64(skipped)).suffix(Int(Self.skippedBits / 8))
        bytes += Self.check(bytes[...])
        return String(
            Data(bytes).base64EncodedString().map { character in
                switch character {
                case "+": "-"
                case "/": "_"
                default: character
                }
            })
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count == textLength else { return nil }
        var standard: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                standard.append(byte)
            default: return nil
            }
        }
        return Data(base64Encoded: Data(standard)).flatMap { $0.count == byteCount ? Array($0) : nil }
    }

    private static func check(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bigEndian(SHA256Digest(of: bytes).words[0]).prefix(byteCount - checked)
    }

    private static func hash(_ revision: String) -> UInt64 {
        SHA256Digest(of: revision.utf8).words[0]
    }

    private static func bigEndian(_ number: UInt64) -> ArraySlice<UInt8> {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }[...]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Why a cursor is refused.
package enum PageCursorProblem: Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The text is not a cursor.
    case malformed
    /// The cursor is from a page of other filters or another order.
    case ofAnotherQuery
    /// The cursor is from a page of a replaced catalogue.
    case ofAnotherRevision

    package var description: String {
        switch self {
        case .malformed: "it is not one that an earlier page gave"
        case .ofAnotherQuery: "it belongs to a query with other filters or another order"
        case .ofAnotherRevision: "it belongs to a catalogue that has been replaced; begin again with the first page"
        }
    }
}
