internal import HTTPServer
internal import Products

/// One revision of the catalogue in the bytes that clients get, encoded once and sent by reference.
///
/// A single product's answer is a part of the whole one's bytes.
final class EncodedListing: Sendable {
    let catalogue: Catalogue
    /// The answer to `GET /products`.
    let whole: Representation
    /// When this revision was first seen, as a header says it.
    let lastModified: String
    /// The head of the whole answer as it was last made.
    let headMemo = HeadMemo()
    private let ranges: [Range<Int>]
    private static let prefix = Array(#"{"products":"#.utf8)

    /// Takes milliseconds for thousands of products: make it off the event loops.
    init(_ listing: ProductsListing) {
        let listed = listing.encoded()
        catalogue = listing.answer.snapshot.catalogue
        lastModified = HTTPDate.text(listing.answer.snapshot.fetchedAt)
        ranges = listed.ranges.map { ($0.lowerBound + Self.prefix.count)..<($0.upperBound + Self.prefix.count) }
        whole = Representation(
            body: HTTPBody(bytes: Self.document(of: listed)),
            entityTag: "\"\(catalogue.revision)-\(listing.popularity.salesOver)\"")
    }

    /// The body of `GET /products`.
    static func document(of listed: ListedCatalogue) -> [UInt8] {
        var document: [UInt8] = []
        let suffix = Array(#","total":\#(listed.ranges.count)}"#.utf8)
        document.reserveCapacity(prefix.count + listed.bytes.count + suffix.count)
        document += prefix
        document += listed.bytes
        document += suffix
        return document
    }

    /// Whether a catalogue has the products that are encoded here.
    func isOf(_ other: Catalogue) -> Bool {
        other === catalogue || other.revision == catalogue.revision
    }

    /// The answer to `GET /products/{id}`; `nil` when there is no such product.
    func product(withID id: String) -> Representation? {
        guard let position = catalogue.position(ofID: id) else { return nil }
        let body = whole.body.slice(ranges[position])
        return Representation(body: body, entityTag: EntityTag.strong(for: body))
    }
}
