internal import HTTPServer

/// One view of a revision in the bytes that clients get, sent by reference.
///
/// A single product's answer is a part of the whole one's bytes.
final class EncodedView: Sendable {
    /// The answer with all products.
    let whole: Representation
    /// The head of the whole answer as it was last made.
    let headMemo = HeadMemo()
    private let ranges: [Range<Int>]
    private static let prefix = Array(#"{"products":"#.utf8)

    /// - Parameters:
    ///   - array: the JSON array of the products.
    ///   - ranges: where each product stands in it.
    ///   - entityTag: a strong tag for the document; without one it is made from the content.
    init(array: [UInt8], ranges: [Range<Int>], entityTag: String? = nil) {
        let body = HTTPBody(bytes: Self.document(of: array, total: ranges.count))
        self.ranges = ranges.map { ($0.lowerBound + Self.prefix.count)..<($0.upperBound + Self.prefix.count) }
        whole = Representation(body: body, entityTag: entityTag ?? EntityTag.strong(for: body))
    }

    /// The answer with the product at a position of the catalogue alone.
    func product(at position: Int) -> Representation {
        let body = whole.body.slice(ranges[position])
        return Representation(body: body, entityTag: EntityTag.strong(for: body))
    }

    /// The body of an answer with all products: the JSON array of them, and how many there are.
    static func document(of array: [UInt8], total: Int) -> [UInt8] {
        var document: [UInt8] = []
        let suffix = Array(#","total":\#(total)}"#.utf8)
        document.reserveCapacity(prefix.count + array.count + suffix.count)
        document += prefix
        document += array
        document += suffix
        return document
    }
}
