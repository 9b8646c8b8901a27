import Hashing
import JSON
import PolymorphicCodable

/// The whole content of a catalogue, immutable and shared by reference.
///
/// It is encoded once, when it is made, because everything after that works on the bytes: the revision is their hash,
/// the store writes them as they are, and answers are cut from them.
public final class Catalogue: Sendable {
    /// The products, in upstream order.
    public let products: [any Product]
    /// The canonical encoding: a JSON array of the products, without white space.
    public let encoded: [UInt8]
    /// Where each product, braces included, stands in `encoded`.
    public let ranges: [Range<Int>]
    /// The SHA-256 of `encoded`, as 64 hexadecimal digits.
    public let digest: String
    /// The content hash: the first 32 digits of `digest`. Equal for equal products, on every machine and after every
    /// restart.
    public let revision: String
    /// Tells when nobody holds this catalogue any more.
    public let lifetime = CatalogueLifetime()
    private let positions: [String: Int]

    /// A catalogue of these products. Takes some milliseconds for each thousand products.
    /// - Throws: `refused(.duplicateID)` when two products have one id, and `malformed` when one cannot be written as
    ///   JSON, as a price that is not a number.
    public convenience init(products: [any Product]) throws(ProductsFailure) {
        let encoding = try CatalogueEncoding(products)
        try self.init(products: products, encoded: encoding.bytes, ranges: encoding.ranges)
    }

    /// The catalogue that once encoded to these bytes, for stores: it is not encoded again, and the digest is that of
    /// the bytes as they are, so it can be compared with the one that was kept. Products of unknown kind are kept, since
    /// whoever made the catalogue kept them.
    /// - Throws: `malformed` when the bytes are no array of products, and `refused(.duplicateID)`.
    public convenience init(encoded: [UInt8]) throws(ProductsFailure) {
        var items = ItemDecoding(unknownKinds: .keep)
        var ranges: [Range<Int>] = []
        do {
            try JSONParser().forEachElement(of: encoded, in: encoded.indices) { element, range in
                try items.append(element, in: [])
                ranges.append(range)
            }
        } catch {
            throw ProductsFailure(decoding: error)
        }
        try self.init(products: items.decoded.products, encoded: encoded, ranges: ranges)
    }

    /// Shares the contents of another catalogue, and not its lifetime: to be kept with what is derived from it.
    public init(sharing other: Catalogue) {
        (products, encoded, ranges) = (other.products, other.encoded, other.ranges)
        (digest, revision, positions) = (other.digest, other.revision, other.positions)
    }

    private init(products: [any Product], encoded: [UInt8], ranges: [Range<Int>]) throws(ProductsFailure) {
        positions = try Self.positions(of: products)
        self.products = products
        self.encoded = encoded
        self.ranges = ranges
        digest = SHA256Digest(of: encoded).hexDigits
        revision = String(digest.prefix(32))
    }

    deinit {
        lifetime.end()
    }

    /// Where the product with this id stands in `products`.
    public func position(ofID id: String) -> Int? {
        positions[id]
    }

    /// The product with this id.
    public func product(withID id: String) -> (any Product)? {
        positions[id].map { products[$0] }
    }

    private static func positions(of products: [any Product]) throws(ProductsFailure) -> [String: Int] {
        var positions: [String: Int] = [:]
        positions.reserveCapacity(products.count)
        for (position, product) in products.enumerated() {
            if let first = positions.updateValue(position, forKey: product.id) {
                throw .refused(.duplicateID(product.id, first: first, second: position))
            }
        }
        return positions
    }
}

/// The canonical bytes of products, and where each stands in them.
struct CatalogueEncoding {
    private(set) var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []

    init(_ products: [any Product]) throws(ProductsFailure) {
        bytes.reserveCapacity(products.count * 256 + 2)
        ranges.reserveCapacity(products.count)
        bytes.append(UInt8(ascii: "["))
        for (position, product) in products.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            try append(product, at: position)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ product: any Product, at position: Int) throws(ProductsFailure) {
        let start = bytes.count
        do {
            try JSONByteEncoder.append(product, to: &bytes)
        } catch let error as EncodingError {
            throw .malformed(detail: "product [\(position)] cannot be written: \(error.jsonSummary)")
        } catch {
            throw .malformed(detail: "product [\(position)] cannot be written: \(error)")
        }
        ranges.append(start..<bytes.count)
    }
}
